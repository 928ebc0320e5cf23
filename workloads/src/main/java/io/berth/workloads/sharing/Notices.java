package io.berth.workloads.sharing;

import io.berth.api.ApiException;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.workloads.state.State;
import io.berth.workloads.submit.WorkloadKind;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Writes Kubernetes events about workloads and their pods.
public final class Notices {

  private static final String COMPONENT = "berth-workloads";
  private static final Logger log = LoggerFactory.getLogger(Notices.class);

  private final State state;

  public Notices(State state) {
    this.state = state;
  }

  void pod(Tree pod, String type, String reason, String message) {
    write(Resource.PODS, pod, type, reason, message);
  }

  public void workload(Tree workload, String type, String reason, String message) {
    var resource = WorkloadKind.of(workload.textOrEmpty("kind")).resource();
    write(resource, workload, type, reason, message);
  }

  private void write(Resource resource, Tree object, String type, String reason, String message) {
    var now = state.times().now();
    var involved =
        Tree.of(
            "apiVersion", resource.apiVersion(),
            "kind", resource.kind(),
            "namespace", Pods.namespace(object),
            "name", Pods.name(object),
            "uid", object.textOrEmpty("metadata", "uid"));
    var name = "%s.%s".formatted(Pods.name(object), UUID.randomUUID().toString().substring(0, 13));
    try {
      state
          .table(Resource.CORE_EVENTS)
          .create(
              Tree.of("metadata", Tree.of("name", name, "namespace", Pods.namespace(object)))
                  .put("involvedObject", involved)
                  .put("type", type)
                  .put("reason", reason)
                  .put("message", message)
                  .put("source", Tree.of("component", COMPONENT))
                  .put("reportingComponent", COMPONENT)
                  .put("reportingInstance", "")
                  .put("firstTimestamp", now.substring(0, 19) + "Z")
                  .put("lastTimestamp", now.substring(0, 19) + "Z")
                  .put("count", 1));
    } catch (ApiException e) {
      // A namespace that is going away takes no events; what was decided is done all the same.
      log.debug("event {} of {} was not written: {}", reason, Pods.key(object), e.getMessage());
    }
  }
}
