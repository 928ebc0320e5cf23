/// What stands in a pod's way: node × rule × the very pods, labels and amounts that block.
///
/// Start at [Explainer]. Nothing here decides; it looks up what the rules' objections rest on, and
/// is paid for only when asked.
@NullMarked
package io.berth.engine.explain;

import org.jspecify.annotations.NullMarked;
