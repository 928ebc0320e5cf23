/// The other door: what kubectl writes is held to the rules of the REST API.
///
/// Start at [Door]. The rules of each kind are beside its REST operations, which use them as well.
@NullMarked
package io.berth.workloads.door;

import org.jspecify.annotations.NullMarked;
