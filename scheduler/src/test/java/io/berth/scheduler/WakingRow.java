package io.berth.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// A cluster, a pod that does not fit, what does not help, and what does.
final class WakingRow {

  private final String rejector;
  private final String event;
  private Consumer<Desk> given = _ -> {};
  private String pod = "";
  private final List<Consumer<Desk>> harmless = new ArrayList<>();
  private Consumer<Desk> help = _ -> {};

  WakingRow(String rejector, String event) {
    this.rejector = rejector;
    this.event = event;
  }

  WakingRow given(String... documents) {
    given = given.andThen(desk -> desk.put(String.join("", documents)));
    return this;
  }

  WakingRow pod(String document) {
    pod = document;
    return this;
  }

  WakingRow harmless(String document) {
    return harmless(desk -> desk.put(document));
  }

  WakingRow harmless(Consumer<Desk> change) {
    harmless.add(change);
    return this;
  }

  void help(String document) {
    help(desk -> desk.put(document));
  }

  void help(Consumer<Desk> change) {
    help = change;
  }

  /// The pod is bound by the event that helps, and by nothing before.
  void checkBound() {
    var desk = new Desk();
    given.accept(desk);
    desk.put(pod).decideAll();
    assertThat(desk.isBound("p")).as("fits too early").isFalse();
    if (!rejector.isEmpty()) {
      assertThat(desk.rejectors("p")).as(desk.message("p")).contains(rejector);
    }

    help.accept(desk);
    assertThat(desk.woken()).as("pods woken").isEqualTo(1);
    desk.decideAll();

    assertThat(desk.isBound("p")).as(desk.message("p")).isTrue();
  }

  /// What cannot help wakes nobody.
  void checkLeftAlone() {
    var desk = new Desk();
    given.accept(desk);
    desk.put(pod).decideAll();
    int before = desk.woken();

    for (var event : harmless) {
      event.accept(desk);
    }

    assertThat(desk.woken() - before).isZero();
  }

  @Override
  public String toString() {
    return rejector + " " + event;
  }
}
