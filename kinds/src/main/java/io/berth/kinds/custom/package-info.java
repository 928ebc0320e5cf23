/// The rules of kinds that users bring with a `CustomResourceDefinition`.
///
/// Start at [CustomDefinition].
@NullMarked
package io.berth.kinds.custom;

import org.jspecify.annotations.NullMarked;
