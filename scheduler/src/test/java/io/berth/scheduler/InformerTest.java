package io.berth.scheduler;

import static io.berth.scheduler.Samples.podTree;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Informer;
import io.berth.testing.FakeCluster;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// What handlers hear of objects, whatever they do themselves.
class InformerTest {

  private final FakeCluster cluster = new FakeCluster(InstantSource.system());
  private final List<String> heard = new CopyOnWriteArrayList<>();

  @Test
  void aHandlerThatFailsKeepsNobodyElseFromHearing() throws Exception {
    cluster.create(Resource.PODS, podTree("first", ""));
    try (var informer = new Informer(cluster, Resource.PODS)) {
      informer.on(new Failing()).on(new Hearing()).start().awaitSynced();
      cluster.create(Resource.PODS, podTree("second", ""));

      cluster.await("the second", _ -> heard.contains("second"));
      assertThat(heard).containsExactly("first", "second");
    }
  }

  private static final class Failing implements Informer.Handler {

    @Override
    public void changed(@Nullable Tree previous, Tree object) {
      throw new IllegalStateException("a defect");
    }

    @Override
    public void removed(Tree object) {}
  }

  private final class Hearing implements Informer.Handler {

    @Override
    public void changed(@Nullable Tree previous, Tree object) {
      heard.add(object.textOrEmpty("metadata", "name"));
    }

    @Override
    public void removed(Tree object) {}
  }
}
