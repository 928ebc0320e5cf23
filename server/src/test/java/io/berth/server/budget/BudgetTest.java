package io.berth.server.budget;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BudgetTest {

  private static final Owner GREEDY = Owner.known("greedy");
  private static final Owner SECOND = Owner.known("second");
  private static final Owner MODEST = Owner.known("modest");
  private static final Owner STRANGER = Owner.stranger("192.0.2.1");

  private final Budget budget = new Budget(1200);

  @Test
  void oneWhoTakesAllItCanGetsHalf() {
    assertThat(takeAll(GREEDY)).isEqualTo(600);
    assertThat(budget.take(MODEST, 300)).isTrue();
  }

  @Test
  void theLargestIsRefusedFirst() {
    assertThat(budget.take(GREEDY, 500)).isTrue();
    assertThat(takeAll(SECOND)).isEqualTo(350);
    assertThat(budget.take(GREEDY, 1)).isFalse();
    assertThat(budget.take(MODEST, 100)).isTrue();
  }

  @Test
  void allStrangersTogetherGetAQuarterAndOneAddressHalfOfThat() {
    assertThat(takeAll(STRANGER)).isEqualTo(150);
    int all = 150;
    for (int i = 2; i < 100; i++) {
      all += takeAll(Owner.stranger("192.0.2." + i));
    }
    assertThat(all).isEqualTo(300);
    assertThat(budget.take(MODEST, 400)).isTrue();
  }

  @Test
  void whatIsGivenBackIsThereForAnybody() {
    takeAll(GREEDY);
    takeAll(STRANGER);
    budget.owners().forEach((name, amount) -> budget.release(owner(name), amount));

    assertThat(budget.owners()).isEmpty();
    assertThat(budget.inUse()).isZero();
    assertThat(takeAll(SECOND)).isEqualTo(600);
  }

  @Test
  void whatCannotBeRefusedIsMissedByOthers() {
    budget.force(GREEDY, 1100);

    assertThat(budget.take(MODEST, 101)).isFalse();
    assertThat(budget.take(MODEST, 100)).isTrue();
    assertThat(budget.refusals()).containsEntry("modest", 1L);
  }

  private static Owner owner(String name) {
    return name.equals(STRANGER.name()) ? STRANGER : Owner.known(name);
  }

  private int takeAll(Owner owner) {
    int taken = 0;
    while (budget.take(owner, 1)) {
      taken++;
    }
    return taken;
  }
}
