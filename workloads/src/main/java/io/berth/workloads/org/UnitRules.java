package io.berth.workloads.org;

import io.berth.api.Tree;
import io.berth.workloads.door.Rules;
import java.util.List;

/// What departments and projects must be, beyond what holds for every object.
interface UnitRules extends Rules {

  /// Refuses a quota that a unit cannot have.
  void checkShares(Tree unit, List<Tree> resources);

  /// What is allowed, and should be known to who sets it.
  List<String> warnings(Tree unit);
}
