/// ReplicaSet, ReplicationController, Deployment, StatefulSet, DaemonSet: pods kept at a number.
///
/// Start at [ReplicaSets], the plainest of them, and [Deployments], which moves replicas from one
/// ReplicaSet to another.
@NullMarked
package io.berth.controllers.apps;

import org.jspecify.annotations.NullMarked;
