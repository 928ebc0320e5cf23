/// What happens to pods when nodes go: node health, taints, eviction, and pods of vanished nodes.
///
/// Start at [NodeLifecycle], which notices silence and taints nodes at a limited rate, and
/// [TaintEviction], which deletes the pods that do not tolerate it.
@NullMarked
package io.berth.controllers.node;

import org.jspecify.annotations.NullMarked;
