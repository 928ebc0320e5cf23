package io.berth.kinds.batch;

import io.berth.api.Tree;
import io.berth.kinds.Fields;
import io.berth.kinds.meta.Cursor;
import java.util.List;

/// What of a job's template may change while the job is suspended: where its pods may run, and what
/// its containers ask for.
///
/// Mirrors: batch/validation.validatePodTemplateUpdate
final class JobTemplates {

  private JobTemplates() {}

  static void validateUpdate(Cursor object, Tree old) {
    var template = object.at("spec", "template");
    var before = old.treeOrEmpty("spec", "template").copy();
    boolean changeable = isChangeable(old);
    if (changeable) {
      takeOverDirectives(before, template.tree());
    }
    if (!old.flag("spec", "suspend") || !changeable) {
      template.immutable(before);
      return;
    }
    takeOverResources(before, template.tree(), "containers");
    takeOverResources(before, template.tree(), "initContainers");
    template.at("spec").immutable(before.treeOrEmpty("spec"));
  }

  /// Whether no pod of the job exists that its controller would have to follow up.
  private static boolean isChangeable(Tree job) {
    boolean waits = job.at("status", "startTime") == null || JobStatusRules.is(job, "Suspended");
    return job.flag("spec", "suspend") && waits && job.number(0, "status", "active") == 0;
  }

  private static void takeOverDirectives(Tree before, Tree template) {
    var spec = before.child("spec");
    var wanted = template.treeOrEmpty("spec");
    for (var field : List.of("nodeSelector", "tolerations", "schedulingGates")) {
      Fields.keep(spec, wanted, field);
    }
    for (var field : List.of("annotations", "labels")) {
      Fields.keep(before.child("metadata"), template.treeOrEmpty("metadata"), field);
    }
    if (!wanted.has("affinity") && !spec.has("affinity")) {
      return;
    }
    Fields.keep(spec.child("affinity"), wanted.treeOrEmpty("affinity"), "nodeAffinity");
    if (spec.treeOrEmpty("affinity").isEmpty() && !wanted.has("affinity")) {
      spec.remove("affinity");
    }
  }

  private static void takeOverResources(Tree before, Tree template, String containers) {
    var old = before.trees("spec", containers);
    var wanted = template.trees("spec", containers);
    if (old.size() != wanted.size()) {
      return;
    }
    for (int i = 0; i < old.size(); i++) {
      if (old.get(i).textOrEmpty("name").equals(wanted.get(i).textOrEmpty("name"))) {
        Fields.keep(old.get(i), wanted.get(i), "resources");
      }
    }
  }
}
