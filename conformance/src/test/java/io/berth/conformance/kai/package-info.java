/// What KAI-Scheduler was recorded to decide, replayed through the arbiter.
///
/// Start at [RecordedSharingTest]. A recording becomes a [Scene], which runs to rest and is then
/// compared, pod by pod, with what KAI's cluster looked like at rest.
@NullMarked
package io.berth.conformance.kai;

import org.jspecify.annotations.NullMarked;
