/// Placement tests as users write them.
///
/// Start at [TestReader]; [TestOutline] says what a document may hold, also to editors.
@NullMarked
package io.berth.placement.document;

import org.jspecify.annotations.NullMarked;
