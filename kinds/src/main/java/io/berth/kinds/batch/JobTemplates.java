package io.berth.kinds.batch;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Tree;
import io.berth.kinds.Fields;
import io.berth.kinds.meta.Checks;
import java.util.List;

/// What of a job's template may change while the job is suspended: where its pods may run, and what
/// its containers ask for.
final class JobTemplates {

  private JobTemplates() {}

  static void validateUpdate(Tree object, Tree old, FieldErrors errors) {
    var template = object.treeOrEmpty("spec", "template");
    var before = old.treeOrEmpty("spec", "template").copy();
    var path = FieldPath.of("spec", "template");
    boolean changeable = isChangeable(old);
    if (changeable) {
      takeOverDirectives(before, template);
    }
    if (!old.flag("spec", "suspend") || !changeable) {
      Checks.immutable(path, template, before, errors);
      return;
    }
    takeOverResources(before, template, "containers");
    takeOverResources(before, template, "initContainers");
    Checks.immutable(
        path.child("spec"), template.treeOrEmpty("spec"), before.treeOrEmpty("spec"), errors);
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
