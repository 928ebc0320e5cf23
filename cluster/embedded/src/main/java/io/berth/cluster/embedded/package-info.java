/// The port to a Kubernetes API, over the embedded server: calls in this process, no HTTP.
///
/// Start at [InProcessCluster].
@NullMarked
package io.berth.cluster.embedded;

import org.jspecify.annotations.NullMarked;
