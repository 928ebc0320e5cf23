package io.berth.kinds.core;

import io.berth.api.Tree;
import io.berth.kinds.meta.Cursor;

/// Rules about the numbers in a controller's spec and status.
public final class Counts {

  private Counts() {}

  /// None of these counts may be greater than the count of replicas.
  public static void withinReplicas(Cursor status, String... fields) {
    for (var count : status.fields(fields)) {
      if (count.number() > status.number("replicas")) {
        count.invalidNumber("cannot be greater than status.replicas");
      }
    }
  }

  public static void availableWithinReady(Cursor status, String ready) {
    if (status.number("availableReplicas") > status.number("readyReplicas")) {
      status.at("availableReplicas").invalidNumber("cannot be greater than " + ready);
    }
  }

  public static void collisionsNotDecremented(Cursor status, Tree old) {
    var collisions = status.at("collisionCount");
    if (collisions.number() < old.number(0, "collisionCount")) {
      collisions.invalidNumber("cannot be decremented");
    }
  }
}
