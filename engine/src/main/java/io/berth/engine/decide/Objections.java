package io.berth.engine.decide;

import io.berth.engine.Rejection;
import io.berth.engine.rule.Profile;
import io.berth.engine.rule.Verdict;
import java.util.ArrayList;
import java.util.List;

/// The distinct objections that a view has met, by number; [#NONE] stands for no objection.
///
/// A rank is a rule's place in the order in which filters run. There are few, so that they are
/// found by looking through them.
final class Objections {

  static final int NONE = 0;

  private final Profile profile;
  private final List<Objection> known = new ArrayList<>();

  private record Objection(int rank, Verdict.Unfit unfit, Rejection rejection) {}

  Objections(Profile profile) {
    this.profile = profile;
    known.add(
        new Objection(
            Integer.MAX_VALUE, Verdict.unschedulable(""), Rejection.unschedulable("", "")));
  }

  int of(int rank, Verdict.Unfit unfit) {
    for (int i = 1; i < known.size(); i++) {
      var each = known.get(i);
      if (each.rank == rank && each.unfit.equals(unfit)) {
        return i;
      }
    }
    var name = profile.filters().get(rank).name();
    known.add(new Objection(rank, unfit, new Rejection(name, unfit.code(), unfit.reasons())));
    return known.size() - 1;
  }

  /// The rank of the rule that objects; that of no objection is behind all others.
  int rank(int objection) {
    return known.get(objection).rank;
  }

  /// One object for each objection: refusals ask for it once a node.
  Rejection rejection(int objection) {
    return known.get(objection).rejection;
  }

  /// Of two objections, the one whose rule runs first.
  int first(int a, int b) {
    return rank(a) < rank(b) ? a : b;
  }
}
