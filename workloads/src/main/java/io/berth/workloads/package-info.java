/// Workloads with projects, node pools, quotas and policies: the REST API of `docs/guides` on a
/// cluster, and the controllers that turn its objects into pods.
///
/// Start at [Workloads], which wires the parts; a request goes through `rest`, state lives in
/// custom resources (`state`), and `submit` turns a submission into an object and that into pods.
@NullMarked
package io.berth.workloads;

import org.jspecify.annotations.NullMarked;
