/// What all kinds share: names, labels, annotations, owners, finalizers, ages.
///
/// Start at [ObjectMeta].
@NullMarked
package io.berth.kinds.meta;

import org.jspecify.annotations.NullMarked;
