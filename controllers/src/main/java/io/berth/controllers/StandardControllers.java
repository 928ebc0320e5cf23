package io.berth.controllers;

import io.berth.controllers.apps.DaemonSets;
import io.berth.controllers.apps.Deployments;
import io.berth.controllers.apps.ReplicaSets;
import io.berth.controllers.apps.StatefulSets;
import io.berth.controllers.batch.CronJobs;
import io.berth.controllers.batch.Jobs;
import io.berth.controllers.batch.TtlAfterFinished;
import io.berth.controllers.cloud.Cloud;
import io.berth.controllers.core.Autoscalers;
import io.berth.controllers.core.CertificateSigning;
import io.berth.controllers.core.Disruptions;
import io.berth.controllers.core.Endpoints;
import io.berth.controllers.core.ExternalProvisioner;
import io.berth.controllers.core.FlowSchemas;
import io.berth.controllers.core.GarbageCollector;
import io.berth.controllers.core.Namespaces;
import io.berth.controllers.core.PersistentVolumes;
import io.berth.controllers.core.PodGroupProtection;
import io.berth.controllers.core.PolicyTypeChecks;
import io.berth.controllers.core.ResourceQuotas;
import io.berth.controllers.core.ServiceAccounts;
import io.berth.controllers.core.StorageProtection;
import io.berth.controllers.core.UnusedClaims;
import io.berth.controllers.node.NodeLifecycle;
import io.berth.controllers.node.PodGarbage;
import io.berth.controllers.node.TaintEviction;

/// The controllers of an ordinary cluster.
public final class StandardControllers {

  private StandardControllers() {}

  /// Adds what kube-controller-manager would run. `rootCertificate` is the PEM text of the
  /// authority that signed the API server's certificate, `signer` signs for others in its name.
  public static ControllerManager controllers(
      ControllerManager manager, String rootCertificate, CertificateSigning.Signer signer) {
    return manager
        .with(GarbageCollector::new)
        .with(Namespaces::new)
        .with(environment -> new ServiceAccounts(environment, rootCertificate))
        .with(environment -> new CertificateSigning(environment, signer))
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
        .with(StorageProtection::new)
        .with(UnusedClaims::new)
        .with(Autoscalers::new)
        .with(PolicyTypeChecks::new)
        .with(FlowSchemas::new)
        .with(NodeLifecycle::new)
        .with(TaintEviction::new)
        .with(PodGarbage::new);
  }

  /// Adds what makes of a cluster one that somebody provides: volumes and addresses are simulated.
  public static ControllerManager withCloud(ControllerManager manager) {
    return Cloud.controllers(manager);
  }

  /// Leaves volumes and addresses to programs beside the cluster.
  public static ControllerManager withoutCloud(ControllerManager manager) {
    return manager.with(
        environment -> new PersistentVolumes(environment, new ExternalProvisioner(environment)));
  }

  /// Adds what goes with pod groups, where they are served.
  public static ControllerManager withPodGroups(ControllerManager manager) {
    return manager.with(PodGroupProtection::new);
  }
}
