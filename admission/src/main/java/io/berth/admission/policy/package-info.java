/// Admission policies in expressions: what is compiled of them, and how they judge and change.
///
/// Start at [PolicySet], the policies with their bindings; [Judge] evaluates a validating one,
/// [Mutation] one change of a mutating one. The plugins themselves stand beside the others.
@NullMarked
package io.berth.admission.policy;

import org.jspecify.annotations.NullMarked;
