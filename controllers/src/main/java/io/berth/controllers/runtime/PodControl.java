package io.berth.controllers.runtime;

import io.berth.api.ApiException;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Cluster;
import io.berth.cluster.Cluster.DeleteOptions;
import java.util.ArrayList;
import java.util.List;

/// Creates and deletes pods on behalf of an owner, and says so in events.
public final class PodControl {

  private final Cluster cluster;
  private final Resource ownerResource;
  private final Events.Source events;

  public PodControl(Cluster cluster, Resource ownerResource, Events.Source events) {
    this.cluster = cluster;
    this.ownerResource = ownerResource;
    this.events = events;
  }

  /// A pod made from a template, owned by `owner`, its name to be generated.
  public Tree fromTemplate(Tree owner, Tree template) {
    var metadata = new Tree();
    var prefix = Meta.name(owner) + "-";
    metadata.put("generateName", prefix).put("namespace", Meta.namespace(owner));
    for (var kept : List.of("labels", "annotations", "finalizers")) {
      var value = template.at("metadata", kept);
      if (value != null) {
        metadata.put(kept, Tree.copyOf(value));
      }
    }
    metadata.put("ownerReferences", List.of(Meta.controllerRef(ownerResource, owner)));
    return Tree.of("apiVersion", "v1", "kind", "Pod")
        .put("metadata", metadata)
        .put("spec", template.treeOrEmpty("spec").copy());
  }

  public Tree create(Tree owner, Tree pod) {
    try {
      var created = cluster.create(Resource.PODS, pod);
      events.normal(ownerResource, owner, "SuccessfulCreate", "Created pod: " + Meta.name(created));
      return created;
    } catch (ApiException e) {
      // In a namespace that is going away this is expected, and the event could not be stored.
      if (!isNamespaceEnding(e)) {
        events.warning(ownerResource, owner, "FailedCreate", "Error creating: " + e.getMessage());
      }
      throw e;
    }
  }

  /// Deletes the pod; one that is gone already is as good. Tells whether it was there: if not, no
  /// deletion may come that could still be seen.
  public boolean delete(Tree owner, Tree pod) {
    try {
      cluster.delete(
          Resource.PODS,
          Meta.namespace(pod),
          Meta.name(pod),
          new DeleteOptions(-1, Meta.uid(pod), null));
      events.normal(ownerResource, owner, "SuccessfulDelete", "Deleted pod: " + Meta.name(pod));
      return true;
    } catch (ApiException e) {
      if (e.is("NotFound") || e.is("Conflict")) {
        return false;
      }
      events.warning(ownerResource, owner, "FailedDelete", "Error deleting: " + e.getMessage());
      throw e;
    }
  }

  public static boolean isNamespaceEnding(ApiException e) {
    var details = e.details();
    if (!e.is("Forbidden") || details == null) {
      return false;
    }
    var reasons = new ArrayList<String>();
    details.trees("causes").forEach(cause -> reasons.add(cause.textOrEmpty("reason")));
    return reasons.contains("NamespaceTerminating");
  }
}
