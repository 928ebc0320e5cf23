package io.berth.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Election;
import io.berth.testing.FakeCluster;
import java.time.Duration;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Who waits for the lead has it as soon as it is to be had. It looks at the lease every hour here:
/// only what it sees in between can be the reason. A minute means that it saw nothing.
@Timeout(60)
class ElectionTest {

  private static final Duration HOUR = Duration.ofHours(1);

  private final FakeCluster cluster = new FakeCluster(InstantSource.system());

  @Test
  void aLeadThatIsGivenBackIsTakenAtOnce() throws Exception {
    var first = candidate("first").start();
    assertThat(first.awaitLead()).isTrue();
    try (var second = candidate("second").start()) {
      cluster.await("a look at the lease", _ -> second.leader().equals("first"));
      first.close();

      assertThat(second.awaitLead()).isTrue();
    }
  }

  @Test
  void aLeadThatIsNotRenewedIsTakenWhenItsLeaseHasRunOut() throws Exception {
    cluster.create(Resource.LEASES, lease("dead", 1));
    try (var second = candidate("second").start()) {
      assertThat(second.awaitLead()).isTrue();
    }
    assertThat(
            cluster
                .fetch(Resource.LEASES, "kube-system", "berth-scheduler")
                .number(0, "spec", "leaseTransitions"))
        .isEqualTo(1);
  }

  private static Tree lease(String holder, int seconds) {
    return Tree.of("apiVersion", "coordination.k8s.io/v1", "kind", "Lease")
        .put("metadata", Tree.of("namespace", "kube-system", "name", "berth-scheduler"))
        .put("spec", Tree.of("holderIdentity", holder, "leaseDurationSeconds", seconds));
  }

  private Election candidate(String name) {
    var terms = new Election.Terms("kube-system", "berth-scheduler", HOUR.plus(HOUR), HOUR, HOUR);
    return new Election(cluster, terms, name, InstantSource.system(), System::nanoTime);
  }
}
