package io.berth.quota;

import static io.berth.quota.Gang.Preemptibility.NON_PREEMPTIBLE;
import static io.berth.quota.Gang.Preemptibility.PREEMPTIBLE;
import static io.berth.quota.World.gpus;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.quota.Adviser.Advice;
import java.util.List;
import org.junit.jupiter.api.Test;

class AdviserTest {

  private static final List<Integer> PRIORITIES = List.of(40, 50, 60, 70);

  private final World world = new World();

  @Test
  void whatIsOverQuotaMayBePreemptibleOrGetMoreQuota() {
    world.pool("x", 1, 8).department("d", gpus(8, 1)).project("p", "d", gpus(2, 1));
    world.priority(world.gang("firm", "p", 1, 4), 50, NON_PREEMPTIBLE);

    assertThat(advice("firm"))
        .containsExactly(new Advice.BecomePreemptible(), new Advice.RaiseQuota("p", "x", 4000));
  }

  @Test
  void whatIsOverItsLimitGetsAHigherOneOrPrecedence() {
    world.pool("x", 1, 8).department("d", gpus(8, 1)).project("p", "d", gpus(2, 1, 4));
    world.gang("first", "p", 1, 4);
    world.pass();
    world.gang("second", "p", 1, 2);

    assertThat(advice("second"))
        .containsExactly(new Advice.RaisePriority(60), new Advice.RaiseLimit("p", "x", 6000));
  }

  @Test
  void aHigherLimitHelpsNobodyWhoMayOnlyUseTheQuota() {
    world.pool("x", 1, 8).department("d", gpus(8, 1)).project("p", "d", gpus(2, 0, 2));
    world.gang("more", "p", 1, 4);

    assertThat(advice("more")).containsExactly(new Advice.RaiseQuota("p", "x", 4000));
  }

  @Test
  void aLimitBeyondTheQuotaIsRaisedAlone() {
    world.pool("x", 1, 8).department("d", gpus(8, 1)).project("p", "d", gpus(2, 0, 3));
    world.gang("more", "p", 1, 4);

    assertThat(advice("more")).containsExactly(new Advice.RaiseLimit("p", "x", 4000));
  }

  @Test
  void whatFitsElsewhereIsToldWhere() {
    world.pool("x", 1, 4).pool("y", 1, 8);
    world.department("d", gpus(8, 1)).project("p", "d", gpus(2, 1));
    world.in(world.gang("large", "p", 1, 8), "x");

    assertThat(advice("large")).containsExactly(new Advice.UsePool("y"));
  }

  @Test
  void whatNeverFitsGetsNoAdvice() {
    world.pool("x", 1, 4).department("d", gpus(8, 1)).project("p", "d", gpus(2, 1));
    world.priority(world.gang("large", "p", 1, 8), 50, PREEMPTIBLE);

    assertThat(advice("large")).isEmpty();
  }

  private List<Advice> advice(String gang) {
    return new Adviser(world.arbiter).advise(world.situation(), gang, PRIORITIES);
  }
}
