/// Tests of simulated disks and addresses against a Kubernetes API in memory.
@NullMarked
package io.berth.controllers.cloud;

import org.jspecify.annotations.NullMarked;
