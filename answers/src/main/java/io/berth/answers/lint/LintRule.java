package io.berth.answers.lint;

import java.util.List;

/// One kind of mistake.
interface LintRule {

  /// What users write to speak of it; never changes.
  String id();

  /// What it finds, in a line.
  String summary();

  /// What is wrong with one pod template, among all that is known.
  List<Complaint> check(LintedPod pod, LintInput input);
}
