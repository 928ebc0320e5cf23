/// Simulated nodes: heartbeats, true kubelet admission, and pods that start, run, finish and stop.
///
/// Start at [Kubelets], which takes over Node objects, and [PodWorker], which brings one pod one
/// step further. What a pod does next follows from its object alone (spec, status, annotations), so
/// a restart of the process loses nothing. [NodeFleet] describes many nodes in a few lines.
@NullMarked
package io.berth.controllers.kubelet;

import org.jspecify.annotations.NullMarked;
