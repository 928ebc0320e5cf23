/// Controllers and simulated kubelets: what turns stored objects into a living cluster.
///
/// Start at [ControllerManager], which wires and starts them. Each controller is a client of the
/// port `io.berth.cluster`: it watches, compares what is with what shall be, and writes the
/// difference. It keeps nothing that a restart would lose.
@NullMarked
package io.berth.controllers;

import org.jspecify.annotations.NullMarked;
