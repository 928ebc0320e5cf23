package io.berth.controllers.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.testing.FakeClock;
import io.berth.testing.FakeCluster;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EventsTest {

  private final FakeClock clock = new FakeClock();
  private final FakeCluster cluster = new FakeCluster(clock);
  private final Events events = new Events(cluster, clock).start();
  private final Tree pod =
      Tree.of("metadata", Tree.of("name", "a", "namespace", "default", "uid", "u"));

  @AfterEach
  void stop() {
    events.close();
  }

  @Test
  void theSameAgainIsCounted() {
    for (int i = 0; i < 20; i++) {
      record("Back-off restarting failed container");
    }
    awaitCount("Back-off restarting failed container", 20);
    assertThat(cluster.all(Resource.CORE_EVENTS)).hasSize(1);
  }

  @Test
  void fromTheTenthOnThoseThatDifferAreOne() {
    for (int i = 1; i <= 12; i++) {
      record("Created pod: a-" + i);
    }
    awaitCount("(combined from similar events): Created pod: a-12", 3);
    assertThat(cluster.all(Resource.CORE_EVENTS)).hasSize(10);
  }

  private void record(String message) {
    events.from("test").normal(Resource.PODS, pod, "Reason", message);
  }

  private void awaitCount(String message, long count) {
    cluster.await(
        message,
        c ->
            c.all(Resource.CORE_EVENTS).stream()
                .anyMatch(event ->
                    event.textOrEmpty("message").equals(message)
                        && event.number(0, "count") == count));
  }
}
