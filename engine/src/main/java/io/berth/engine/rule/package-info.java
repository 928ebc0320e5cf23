/// Kubernetes' plugins, one class each by its Kubernetes name.
///
/// Start at [FilterRule] and [ScoreRule], then read [TaintToleration], the shortest of them. A rule
/// reads a shape and the cluster once and returns a function of node indexes; how often that is
/// called is the decider's business. [Profiles] says which rules run, in which order.
@NullMarked
package io.berth.engine.rule;

import org.jspecify.annotations.NullMarked;
