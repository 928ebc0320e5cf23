package io.berth.quota.decide;

import java.util.List;

/// An ask for which room is to be made, and what may be lost for it.
interface Trial {

  Ask ask();

  Queue queue();

  long[] asked();

  /// Whether these may be lost, in this order, as the books were before anything was taken; others
  /// that were taken have found another place.
  boolean allows(List<Unit> lost);

  /// Of these, all that may be lost in this order, each if those before it allow it; nothing has
  /// been taken yet.
  List<Unit> allowed(List<Unit> candidates);

  /// With whom a unit would be lost.
  Side sideOf(Unit unit);
}
