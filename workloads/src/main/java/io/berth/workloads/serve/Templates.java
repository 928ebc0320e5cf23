package io.berth.workloads.serve;

import io.berth.api.Tree;
import io.berth.workloads.access.Caller;
import io.berth.workloads.access.ResourceType;
import io.berth.workloads.access.Scope;
import io.berth.workloads.access.Scope.Level;
import io.berth.workloads.http.Refusal;
import io.berth.workloads.state.BerthKinds;
import io.berth.workloads.state.State;
import io.berth.workloads.submit.WorkloadKind;

/// Workload templates as submissions use them: what the request leaves open comes from there.
final class Templates {

  private final State state;

  Templates(State state) {
    this.state = state;
  }

  Tree applied(WorkloadKind kind, Tree body, Caller caller) {
    var id = body.textOrEmpty("templateId");
    if (id.isEmpty()) {
      return body;
    }
    var template =
        state
            .table(BerthKinds.TEMPLATES)
            .findByUid(id)
            .filter(each -> each.textOrEmpty("spec", "meta", "workloadType").equals(kind.title()))
            .filter(each -> caller.sees(ResourceType.TEMPLATES, scopeOf(each)))
            .orElseThrow(() ->
                Refusal.badRequest(
                    "Bad request - templateId: there is no %s template \"%s\""
                        .formatted(kind.title(), id)));
    var merged = body.copy();
    var spec = template.treeOrEmpty("spec", "spec").copy();
    overlay(spec, body.treeOrEmpty("spec"));
    merged.put("spec", spec);
    var master = template.tree("spec", "master", "spec");
    if (master != null && !body.flag("masterSpecSameAsWorker")) {
      var masterSpec = master.copy();
      overlay(masterSpec, body.treeOrEmpty("masterSpec"));
      merged.put("masterSpec", masterSpec);
    }
    return merged;
  }

  private static void overlay(Tree target, Tree source) {
    source
        .fields()
        .forEach((name, value) -> {
          if (value instanceof Tree tree
              && (name.equals("compute") || name.equals("security") || name.equals("storage"))) {
            overlay(target.child(name), tree);
          } else {
            target.put(name, value);
          }
        });
  }

  static Scope scopeOf(Tree template) {
    return new Scope(
        Level.of(template.textOrEmpty("spec", "meta", "scopeType")),
        template.textOrEmpty("spec", "meta", "scopeId"));
  }
}
