/// The port to a Kubernetes API: what scheduler, controllers, workloads and answers know of one.
///
/// Start at [Cluster]. Behind it stand the embedded API server (in-process, no serialisation) and a
/// real cluster; nobody in front of it knows which. [Informer] keeps a copy of one resource.
@NullMarked
package io.berth.cluster;

import org.jspecify.annotations.NullMarked;
