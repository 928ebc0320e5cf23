/// What the engine knows: nodes in columns, pods by shape, counters by term and topology.
///
/// Start at [ClusterModel], which owns everything here and turns events into column changes;
/// [NodeTable] holds the columns, [Shape] what pods have in common, [Term] and [OwnedTerm] the
/// counters behind affinity and spreading. Nothing here decides anything.
@NullMarked
package io.berth.engine.model;

import org.jspecify.annotations.NullMarked;
