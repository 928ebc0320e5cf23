/// Expressions of policies: what compiles, and against which types.
@NullMarked
package io.berth.schema.policy;

import org.jspecify.annotations.NullMarked;
