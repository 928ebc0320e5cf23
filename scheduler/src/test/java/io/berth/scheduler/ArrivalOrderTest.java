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
    assertThat(pods(order.bound(b, 0))).isEmpty();
    assertThat(pods(order.bound(c, 0))).isEmpty();

    assertThat(pods(order.bound(a, 0))).containsExactly(a, b, c);
  }

  @Test
  void aPodSeenAgainWhileItsBindWaitsIsHandedOnAsItIsNow() {
    var later = b.withNodeName("n");
    order.bound(b, 0);
    order.bound(later, 1);

    assertThat(pods(order.bound(a, 2))).containsExactly(a, later);
  }

  @Test
  void nobodyWaitsForAPodThatIsGone() {
    order.bound(b, 0);

    assertThat(pods(order.gone(a.key()))).containsExactly(b);
    assertThat(pods(order.gone(c.key()))).isEmpty();
  }

  @Test
  void nobodyWaitsForeverForAPodThatStaysPending() {
    order.bound(b, 0);

    assertThat(pods(order.late(29_999))).isEmpty();
    assertThat(pods(order.late(30_000))).containsExactly(b);
    assertThat(pods(order.bound(a, 40_000))).as("its turn was long ago").containsExactly(a);
    assertThat(pods(order.bound(c, 40_000))).containsExactly(c);
  }

  @Test
  void aBindTellsWhoArrivedOnItsOtherSide() {
    order.bound(b, 0);
    order.bound(c, 0);
    var released = order.bound(a, 0);

    assertThat(released.get(0).overtakers()).containsExactly(b, c);
    assertThat(released.get(1).overtakers()).isEmpty();
    assertThat(released.get(1).laggards()).containsExactly(a);
    assertThat(released.get(2).laggards()).containsExactly(a);
  }

  private static List<Pod> pods(List<ArrivalOrder.Release> released) {
    return released.stream().map(ArrivalOrder.Release::pod).toList();
  }

  @Test
  void whatWasNeverSeenWaitingIsHandedOn() {
    var stranger = pod("z");

    assertThat(pods(order.bound(stranger, 0))).containsExactly(stranger);
  }
}
