package io.berth.scheduler.extender;

import io.berth.api.ApiException;
import io.berth.api.Container;
import io.berth.api.ExtenderConfiguration;
import io.berth.api.Pod;
import io.berth.api.Resource;
import io.berth.api.SchedulerConfiguration;
import io.berth.api.Tree;
import io.berth.cluster.Cluster;
import io.berth.cluster.Cluster.Selection;
import io.berth.codec.Json;
import io.berth.codec.SyntaxException;
import io.berth.engine.Preemption.Candidate;
import io.berth.scheduler.Extender;
import io.berth.scheduler.ExtenderException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// An extender asked by `POST <urlPrefix>/<verb>` with JSON, in the words of Kubernetes'
/// `ExtenderArgs` and `ExtenderFilterResult`.
///
/// Pods and nodes are sent as the API has them at that moment. An extender that keeps nodes itself
/// (`nodeCacheCapable`) gets their names only, and is much cheaper to ask.
public final class HttpExtender implements Extender {

  private static final int OK = 200;

  private final ExtenderConfiguration configuration;
  private final Cluster cluster;
  private final HttpClient client;
  private final Set<String> managed = new HashSet<>();

  public HttpExtender(ExtenderConfiguration configuration, Cluster cluster) {
    this.configuration = configuration;
    this.cluster = cluster;
    this.client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(timeout(configuration))
            .sslContext(ExtenderTls.context(configuration))
            .build();
    configuration.managedResources().forEach(resource -> managed.add(resource.name()));
  }

  /// The extenders of a configuration, those whose errors may be ignored last, as in Kubernetes.
  public static List<Extender> all(SchedulerConfiguration configuration, Cluster cluster) {
    var needed = new ArrayList<Extender>();
    var ignorable = new ArrayList<Extender>();
    for (var each : configuration.extenders()) {
      (each.ignorable() ? ignorable : needed).add(new HttpExtender(each, cluster));
    }
    needed.addAll(ignorable);
    return needed;
  }

  @Override
  public String name() {
    return configuration.urlPrefix();
  }

  @Override
  public boolean ignorable() {
    return configuration.ignorable();
  }

  @Override
  public boolean isInterestedIn(Pod pod) {
    return managed.isEmpty()
        || asksForManaged(pod.spec().containers())
        || asksForManaged(pod.spec().initContainers());
  }

  private boolean asksForManaged(List<Container> containers) {
    for (var container : containers) {
      for (var resource : container.requests().keySet()) {
        if (managed.contains(resource)) {
          return true;
        }
      }
    }
    return false;
  }

  @Override
  public boolean has(Verb verb) {
    return !path(verb).isEmpty();
  }

  private String path(Verb verb) {
    return switch (verb) {
      case FILTER -> configuration.filterVerb();
      case PRIORITIZE -> configuration.prioritizeVerb();
      case BIND -> configuration.bindVerb();
      case PREEMPT -> configuration.preemptVerb();
    };
  }

  @Override
  public long weight() {
    return configuration.weight();
  }

  @Override
  public Filtered filter(Pod pod, List<String> nodes) {
    var result = object(send(Verb.FILTER, arguments(pod, nodes)));
    checkError(result);
    return new Filtered(
        kept(result, nodes),
        result.texts("FailedNodes"),
        result.texts("FailedAndUnresolvableNodes"));
  }

  private List<String> kept(Tree result, List<String> nodes) {
    var kept = new ArrayList<String>();
    if (configuration.nodeCacheCapable() && result.get("NodeNames") != null) {
      result.list("NodeNames").forEach(name -> kept.add(String.valueOf(name)));
    } else {
      result.trees("Nodes", "items").forEach(node -> kept.add(nameOf(node)));
    }
    var asked = new HashSet<>(nodes);
    for (var name : kept) {
      if (!asked.contains(name)) {
        throw new ExtenderException(
            "extender \"%s\" claims a filtered node \"%s\" which is not found in the input node list"
                .formatted(name(), name));
      }
    }
    return kept;
  }

  @Override
  public Map<String, Long> prioritize(Pod pod, List<String> nodes) {
    var scores = new HashMap<String, Long>();
    if (send(Verb.PRIORITIZE, arguments(pod, nodes)) instanceof List<?> list) {
      for (var each : list) {
        if (each instanceof Tree host) {
          scores.put(host.textOrEmpty("Host"), host.number(0, "Score"));
        }
      }
    }
    return scores;
  }

  @Override
  public void bind(Pod pod, String node) {
    var arguments =
        Tree.of(
            "PodName",
            pod.name(),
            "PodNamespace",
            pod.namespace(),
            "PodUID",
            pod.uid(),
            "Node",
            node);
    checkError(object(send(Verb.BIND, arguments)));
  }

  @Override
  public Map<String, Candidate> preempt(Pod pod, Map<String, Candidate> candidates) {
    var arguments = Tree.of("Pod", podOf(pod.namespace(), pod.name()));
    var victims = new Tree();
    Map<String, String> keyByUid = new HashMap<>();
    candidates.forEach((node, candidate) -> victims.put(node, victims(candidate, keyByUid)));
    arguments.put(
        configuration.nodeCacheCapable() ? "NodeNameToMetaVictims" : "NodeNameToVictims", victims);
    var answer = object(send(Verb.PREEMPT, arguments)).treeOrEmpty("NodeNameToMetaVictims");
    var left = new HashMap<String, Candidate>();
    for (var node : answer.names()) {
      left.put(node, candidate(node, answer.treeOrEmpty(node), keyByUid));
    }
    return left;
  }

  private Tree victims(Candidate candidate, Map<String, String> keyByUid) {
    var pods = new ArrayList<Tree>();
    for (var key : candidate.victims()) {
      int slash = key.indexOf('/');
      var pod = podOf(key.substring(0, slash), key.substring(slash + 1));
      var uid = pod.textOrEmpty("metadata", "uid");
      keyByUid.put(uid, key);
      pods.add(configuration.nodeCacheCapable() ? Tree.of("UID", uid) : pod);
    }
    return Tree.of("Pods", pods, "NumPDBViolations", candidate.numPdbViolations());
  }

  private Candidate candidate(String node, Tree answer, Map<String, String> keyByUid) {
    var victims = new ArrayList<String>();
    for (var pod : answer.trees("Pods")) {
      var key = keyByUid.get(pod.textOrEmpty("UID"));
      if (key == null) {
        throw new ExtenderException(
            "extender: %s claims to preempt pod (UID: %s) on node: %s, but the pod is not found on that node"
                .formatted(name(), pod.textOrEmpty("UID"), node));
      }
      victims.add(key);
    }
    return new Candidate(victims, (int) answer.number(0, "NumPDBViolations"));
  }

  private Tree arguments(Pod pod, List<String> nodes) {
    var arguments = Tree.of("Pod", podOf(pod.namespace(), pod.name()));
    if (configuration.nodeCacheCapable()) {
      return arguments.put("Nodes", null).put("NodeNames", new ArrayList<>(nodes));
    }
    var wanted = new HashSet<>(nodes);
    var items = new ArrayList<Tree>();
    for (var node : cluster.list(Resource.NODES, "", Selection.ALL).items()) {
      if (wanted.contains(nameOf(node))) {
        items.add(node);
      }
    }
    return arguments
        .put("Nodes", Tree.of("metadata", new Tree(), "items", items))
        .put("NodeNames", null);
  }

  private Tree podOf(String namespace, String name) {
    try {
      return cluster.fetch(Resource.PODS, namespace, name);
    } catch (ApiException e) {
      throw new ExtenderException(String.valueOf(e.getMessage()), e);
    }
  }

  private @Nullable Object send(Verb verb, Tree arguments) {
    var action = path(verb);
    var url = configuration.urlPrefix().replaceAll("/+$", "") + "/" + action;
    try {
      var request =
          HttpRequest.newBuilder(URI.create(url))
              .timeout(timeout(configuration))
              .header("Content-Type", "application/json")
              .POST(HttpRequest.BodyPublishers.ofByteArray(Json.write(arguments)))
              .build();
      var answer = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
      if (answer.statusCode() != OK) {
        throw new ExtenderException(
            "failed %s with extender at URL %s, code %d"
                .formatted(action, url, answer.statusCode()));
      }
      return Json.readValue(answer.body());
    } catch (IOException | SyntaxException | IllegalArgumentException e) {
      throw new ExtenderException("Post \"%s\": %s".formatted(url, e.getMessage()), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ExtenderException("Post \"%s\": interrupted".formatted(url), e);
    }
  }

  private static Tree object(@Nullable Object value) {
    return value instanceof Tree tree ? tree : new Tree();
  }

  private static void checkError(Tree result) {
    var error = result.textOrEmpty("Error");
    if (!error.isEmpty()) {
      throw new ExtenderException(error);
    }
  }

  private static Duration timeout(ExtenderConfiguration configuration) {
    return Duration.ofMillis(configuration.timeoutMillis());
  }

  private static String nameOf(Tree object) {
    return object.textOrEmpty("metadata", "name");
  }
}
