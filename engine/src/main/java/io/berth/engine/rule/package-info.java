/// What a rule is, and which rules there are: Kubernetes' plugins, one class each by its name, in
/// one folder per subject.
///
/// Start at [FilterRule] and [ScoreRule], then read [io.berth.engine.rule.taint.TaintToleration],
/// one of the shortest. A rule reads a shape and the cluster once and returns a function of node
/// indexes; how often that is called is the decider's business. [Profiles] says which rules run, in
/// which order.
@NullMarked
package io.berth.engine.rule;

import org.jspecify.annotations.NullMarked;
