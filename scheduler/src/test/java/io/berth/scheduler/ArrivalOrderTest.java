package io.berth.scheduler;

import static io.berth.scheduler.Samples.podTree;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Pod;
import io.berth.codec.PodReader;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ArrivalOrderTest {

  private final ArrivalOrder order = new ArrivalOrder();
  private final Pod a = pod("a");
  private final Pod b = pod("b");
  private final Pod c = pod("c");

  private static Pod pod(String name) {
    var tree = podTree(name, "");
    tree.child("metadata").put("uid", "uid-" + name);
    return PodReader.read(tree);
  }

  @BeforeEach
  void allCame() {
    List.of(a, b, c).forEach(order::came);
  }

  @Test
  void aBindWaitsForThoseOfPodsThatCameBefore() {
    assertThat(order.bound(b, 0)).isEmpty();
    assertThat(order.bound(c, 0)).isEmpty();

    assertThat(order.bound(a, 0)).containsExactly(a, b, c);
  }

  @Test
  void aPodSeenAgainWhileItsBindWaitsIsHandedOnAsItIsNow() {
    var later = b.withNodeName("n");
    order.bound(b, 0);
    order.bound(later, 1);

    assertThat(order.bound(a, 2)).containsExactly(a, later);
  }

  @Test
  void nobodyWaitsForAPodThatIsGone() {
    order.bound(b, 0);

    assertThat(order.gone(a.key())).containsExactly(b);
    assertThat(order.gone(c.key())).isEmpty();
  }

  @Test
  void nobodyWaitsForeverForAPodThatStaysPending() {
    order.bound(b, 0);

    assertThat(order.late(29_999)).isEmpty();
    assertThat(order.late(30_000)).containsExactly(b);
    assertThat(order.bound(a, 40_000)).as("its turn was long ago").containsExactly(a);
    assertThat(order.bound(c, 40_000)).containsExactly(c);
  }

  @Test
  void whatWasNeverSeenWaitingIsHandedOn() {
    var stranger = pod("z");

    assertThat(order.bound(stranger, 0)).containsExactly(stranger);
  }
}
