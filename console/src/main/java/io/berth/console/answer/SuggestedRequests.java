package io.berth.console.answer;

import io.berth.answers.remedy.Suggestion;
import io.berth.api.ObjectReference;
import io.berth.api.Resource;
import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// What has to be sent to the API to do what a suggestion says; nothing where that takes more than
/// patches and deletions, and the suggestion's command is all there is.
public final class SuggestedRequests {

  /// Owners that make new pods by themselves when they are changed.
  private static final List<Resource> ROLLING = List.of(Resource.DEPLOYMENTS, Resource.DAEMON_SETS);

  /// Owners that use a new template for the next pod only.
  private static final List<Resource> LAZY =
      List.of(Resource.REPLICA_SETS, Resource.STATEFUL_SETS, Resource.REPLICATION_CONTROLLERS);

  private SuggestedRequests() {}

  /// `pod` is the one that is to be placed, as `namespace/name`.
  public static List<Tree> of(Suggestion suggestion, String pod) {
    var object = suggestion.object();
    if (suggestion.target() == Suggestion.Target.PODS) {
      return suggestion.evicts().stream().map(SuggestedRequests::deletion).toList();
    }
    var command = suggestion.command();
    boolean more = command == null || command.contains("kubectl create priorityclass");
    if (object == null || suggestion.patch().isEmpty() || more) {
      return List.of();
    }
    var requests = new ArrayList<Tree>();
    Stream.concat(Stream.of(Resource.NODES), Stream.concat(ROLLING.stream(), LAZY.stream()))
        .filter(resource -> resource.kind().equals(object.kind()))
        .forEach(resource -> {
          requests.add(patch(resource, object, suggestion.patch()));
          if (LAZY.contains(resource)) {
            requests.add(deletion(pod));
          }
        });
    return requests;
  }

  private static Tree patch(Resource resource, ObjectReference object, List<Tree> patch) {
    return Tree.of("method", "PATCH", "path", path(resource, object.namespace(), object.name()))
        .put("body", new ArrayList<>(patch));
  }

  private static Tree deletion(String pod) {
    int slash = pod.indexOf('/');
    var path = path(Resource.PODS, pod.substring(0, slash), pod.substring(slash + 1));
    return Tree.of("method", "DELETE", "path", path);
  }

  private static String path(Resource resource, String namespace, String name) {
    return "%s/%s%s/%s/%s"
        .formatted(
            resource.group().isEmpty() ? "/api" : "/apis/" + resource.group(),
            resource.version(),
            namespace.isEmpty() ? "" : "/namespaces/" + namespace,
            resource.plural(),
            name);
  }
}
