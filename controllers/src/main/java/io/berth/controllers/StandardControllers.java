package io.berth.controllers;

import io.berth.cluster.Cluster;
import io.berth.controllers.apps.DaemonSets;
import io.berth.controllers.apps.Deployments;
import io.berth.controllers.apps.ReplicaSets;
import io.berth.controllers.apps.StatefulSets;
import io.berth.controllers.batch.CronJobs;
import io.berth.controllers.batch.Jobs;
import io.berth.controllers.batch.TtlAfterFinished;
import io.berth.controllers.core.Autoscalers;
import io.berth.controllers.core.Disruptions;
import io.berth.controllers.core.Endpoints;
import io.berth.controllers.core.GarbageCollector;
import io.berth.controllers.core.Namespaces;
import io.berth.controllers.core.PersistentVolumes;
import io.berth.controllers.core.PodGroupProtection;
import io.berth.controllers.core.ResourceQuotas;
import io.berth.controllers.core.ServiceAccounts;
import io.berth.controllers.core.StorageProtection;
import io.berth.controllers.kubelet.Behaviour;
import io.berth.controllers.kubelet.Kubelets;
import io.berth.controllers.kubelet.NodeDefaults;
import io.berth.controllers.node.NodeLifecycle;
import io.berth.controllers.node.PodGarbage;
import io.berth.controllers.node.TaintEviction;
import io.berth.controllers.runtime.Selector;
import java.time.InstantSource;

/// The controllers of an ordinary cluster, all of them, on simulated nodes or without.
public final class StandardControllers {

  private StandardControllers() {}

  /// Everything that makes the embedded cluster live. `rootCertificate` is the PEM text of the
  /// authority that signed the API server's certificate.
  public static ControllerManager simulated(
      Cluster cluster, InstantSource clock, String rootCertificate, Behaviour behaviour) {
    return controllers(ControllerManager.on(cluster, clock), rootCertificate)
        .with(environment ->
            new Kubelets(environment, behaviour, NodeDefaults.PLAIN, Selector.EVERYTHING));
  }

  /// Adds what kube-controller-manager would run.
  public static ControllerManager controllers(ControllerManager manager, String rootCertificate) {
    return manager
        .with(GarbageCollector::new)
        .with(Namespaces::new)
        .with(environment -> new ServiceAccounts(environment, rootCertificate))
        .with(ReplicaSets::replicaSets)
        .with(ReplicaSets::replicationControllers)
        .with(Deployments::new)
        .with(StatefulSets::new)
        .with(DaemonSets::new)
        .with(Jobs::new)
        .with(CronJobs::new)
        .with(TtlAfterFinished::new)
        .with(Disruptions::new)
        .with(Endpoints::new)
        .with(ResourceQuotas::new)
        .with(PersistentVolumes::new)
        .with(StorageProtection::new)
        .with(PodGroupProtection::new)
        .with(Autoscalers::new)
        .with(NodeLifecycle::new)
        .with(TaintEviction::new)
        .with(PodGarbage::new);
  }
}
