package io.berth.server.rest;

import io.berth.api.ApiException;
import io.berth.api.FieldError;
import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Tree;
import io.berth.server.http.Answer;
import io.berth.server.request.Query;
import java.util.ArrayList;
import java.util.List;

/// `GET …/pods/{name}/log`. Simulated containers write nothing; an unscheduled pod has not even a
/// place to ask.
final class PodLogs {

  private PodLogs() {}

  static Answer answer(Tree pod, Query query) {
    checkOptions(pod, query);
    checkContainer(pod, query.text("container"));
    return pod.textOrEmpty("spec", "nodeName").isEmpty()
        ? Answer.of(204, "", new byte[0])
        : Answer.of(200, "text/plain", new byte[0]);
  }

  private static void checkOptions(Tree pod, Query query) {
    var errors = new FieldErrors();
    checkNumber(query, "tailLines", 0, "must be greater than or equal to 0", errors);
    checkNumber(query, "limitBytes", 1, "must be greater than 0", errors);
    if (query.has("sinceSeconds") && query.has("sinceTime")) {
      errors.add(
          new FieldError(
              FieldError.Type.FORBIDDEN,
              "[]",
              "Forbidden: at most one of `sinceTime` or `sinceSeconds` may be specified"));
    } else {
      checkNumber(query, "sinceSeconds", 1, "must be greater than 0", errors);
    }
    if (!errors.isEmpty()) {
      throw errors.toException("", "PodLogOptions", pod.textOrEmpty("metadata", "name"));
    }
  }

  private static void checkNumber(
      Query query, String name, long least, String refusal, FieldErrors errors) {
    var text = query.text(name);
    if (text.isEmpty()) {
      return;
    }
    try {
      long number = Long.parseLong(text);
      if (number < least) {
        errors.invalid(FieldPath.of(name), number, refusal);
      }
    } catch (NumberFormatException e) {
      throw ApiException.badRequest(
          "strconv.ParseInt: parsing \"%s\": invalid syntax".formatted(text));
    }
  }

  private static void checkContainer(Tree pod, String container) {
    var name = pod.textOrEmpty("metadata", "name");
    var containers = names(pod, "containers");
    if (container.isEmpty()) {
      if (containers.size() > 1) {
        throw ApiException.badRequest(
            "a container name must be specified for pod %s, choose one of: [%s]"
                .formatted(name, String.join(" ", containers)));
      }
      return;
    }
    if (!containers.contains(container)
        && !names(pod, "initContainers").contains(container)
        && !names(pod, "ephemeralContainers").contains(container)) {
      throw ApiException.badRequest(
          "container %s is not valid for pod %s".formatted(container, name));
    }
  }

  private static List<String> names(Tree pod, String field) {
    var names = new ArrayList<String>();
    for (var container : pod.trees("spec", field)) {
      names.add(container.textOrEmpty("name"));
    }
    return names;
  }
}
