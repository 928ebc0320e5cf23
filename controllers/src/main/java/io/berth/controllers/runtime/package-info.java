/// What every controller stands on: caches with indexes, keyed queues, timers, events, ownership.
///
/// Start at [Loop], which calls a [Reconciler] for each key that may need work, and at
/// [Environment], which holds what a controller is given.
@NullMarked
package io.berth.controllers.runtime;

import org.jspecify.annotations.NullMarked;
