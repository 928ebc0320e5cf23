/// Tests of the simulated kubelets against a Kubernetes API in memory and a clock that is moved.
@NullMarked
package io.berth.controllers.kubelet;

import org.jspecify.annotations.NullMarked;
