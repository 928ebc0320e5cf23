/// What objects use of a namespace's quota, and which quotas count them.
///
/// Start at [Evaluators], which knows the evaluator of each resource. Pure computation over trees:
/// admission charges with it, and the controller that recounts uses the same.
@NullMarked
package io.berth.admission.quota;

import org.jspecify.annotations.NullMarked;
