/// Placement rules that cannot do what their author meant, found without running anything.
///
/// Start at [Lint], which asks one class a rule id, listed in [LintRules]. What a rule calls an
/// error it has proven with the engine ([Proof]): the pod, or one of its replicas, is not placed.
/// Everything else is a warning.
@NullMarked
package io.berth.answers.lint;

import org.jspecify.annotations.NullMarked;
