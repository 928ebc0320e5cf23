/// What the scheduler does, as Prometheus reads it, under the names kube-scheduler uses.
///
/// [PrometheusMetrics] is all of it; `docs/reference/metrics.md` lists every name.
@NullMarked
package io.berth.scheduler.metrics;

import org.jspecify.annotations.NullMarked;
