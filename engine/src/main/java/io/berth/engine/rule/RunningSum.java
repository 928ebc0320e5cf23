package io.berth.engine.rule;

import io.berth.engine.Summand;
import java.util.ArrayList;
import java.util.List;

/// Parts of a score that is rounded when all are added: each is shown as what the rounded sum grows
/// by, so that what is shown adds up.
public final class RunningSum {

  private final List<Summand> parts = new ArrayList<>();
  private long reached;

  /// With this part the sum, rounded as the score is, is `sum`.
  public void reach(String what, long sum) {
    parts.add(new Summand(what, sum - reached));
    reached = sum;
  }

  public List<Summand> parts() {
    return parts;
  }
}
