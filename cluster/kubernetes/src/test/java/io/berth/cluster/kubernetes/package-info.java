/// One contract for every [io.berth.cluster.Cluster], and what only HTTP can do wrong.
///
/// Start at [ClusterContract]; [ScriptedServer] is a server that answers whatever a test wants.
@NullMarked
package io.berth.cluster.kubernetes;

import org.jspecify.annotations.NullMarked;
