/// The expressions of admission policies and webhooks: what they may name, and their values.
///
/// Start at [PolicyExpressions], which compiles those of one policy; an [Evaluation] gives their
/// values for one request. The same compiler serves validation when a policy is written, admission
/// and type checking.
@NullMarked
package io.berth.schema.policy;

import org.jspecify.annotations.NullMarked;
