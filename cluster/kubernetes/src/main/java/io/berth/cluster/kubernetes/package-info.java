/// The port to a Kubernetes API, over HTTPS: any real cluster.
///
/// Start at [KubernetesCluster], then [Access] for who is asked and as whom. The client is a small
/// one of our own on blocking sockets: a scheduler sends thousands of tiny requests a second, and
/// its share of the processor is what the API server lacks.
@NullMarked
package io.berth.cluster.kubernetes;

import org.jspecify.annotations.NullMarked;
