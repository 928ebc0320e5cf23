package io.berth.placement.check;

/// Something that shall hold of where pods are.
public interface Check {

  /// What is wrong, or [CheckFinding#NONE].
  CheckFinding judge(Situation situation);
}
