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

  /// With whom a unit would be lost, as the books were before anything was taken.
  Side sideOf(Unit unit);
}
