/// Expressions of the Common Expression Language, with the functions Kubernetes adds to it.
///
/// Loaded when the first expression is compiled. Start at [Environment].
@NullMarked
package io.berth.schema.cel;

import org.jspecify.annotations.NullMarked;
