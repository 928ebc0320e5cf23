/// What `/metrics` says, compared with what the reference promises.
@NullMarked
package io.berth.scheduler.metrics;

import org.jspecify.annotations.NullMarked;
