package io.berth.answers.source;

import io.berth.api.ClusterObject;
import io.berth.api.ObjectReference;
import io.berth.api.Pod;
import io.berth.api.SchedulerConfiguration;
import io.berth.api.Tree;
import io.berth.engine.Engine;
import io.berth.engine.rule.RuleCatalog;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// A cluster as placement reads it, at one moment: what questions are asked about.
///
/// Manifests are as they were written, so that answers can point at them; engine objects are what
/// an API server would have made of them.
public interface Survey {

  /// What is known beside the objects.
  ///
  /// @param namespace where objects of files go that name none
  /// @param revision the state of the cluster, `""` if nobody counts
  /// @param defaults fills in what an API server fills in
  record Settings(
      String namespace,
      String revision,
      SchedulerConfiguration configuration,
      RuleCatalog rules,
      long seed,
      UnaryOperator<Tree> defaults) {

    public static final Settings DEFAULT =
        new Settings(
            "default", "", SchedulerConfiguration.DEFAULT, RuleCatalog.NONE, 1, tree -> tree);

    public Settings withConfiguration(SchedulerConfiguration other) {
      return new Settings(namespace, revision, other, rules, seed, defaults);
    }

    public Settings withDefaults(UnaryOperator<Tree> other) {
      return new Settings(namespace, revision, configuration, rules, seed, other);
    }

    public Settings withRevision(String other) {
      return new Settings(namespace, other, configuration, rules, seed, defaults);
    }
  }

  /// Of several manifests of one object the last counts. Throws [ManifestException] for an object
  /// of a file that holds what it cannot; one of a cluster is then left unread.
  static Survey of(Collection<Manifest> manifests, Settings settings, List<String> unread) {
    var laid = new LinkedHashMap<ObjectReference, Manifest>();
    for (var manifest : manifests) {
      var named = Preparation.named(manifest, settings.namespace());
      laid.put(named.reference(), named);
    }
    return new WrittenSurvey(new Surveyor(laid, settings, unread), settings);
  }

  static Survey of(Collection<Manifest> manifests) {
    return of(manifests, Settings.DEFAULT, List.of());
  }

  /// The same cluster with these objects laid over it.
  default Survey with(Collection<Manifest> others) {
    var all = new ArrayList<>(manifests());
    all.addAll(others);
    return of(all, settings(), unread());
  }

  /// The same cluster with another scheduler.
  default Survey with(Settings others) {
    return of(manifests(), others, unread());
  }

  /// Everything but pods, as the engine reads it.
  Collection<? extends ClusterObject> surroundings();

  Collection<SurveyedPod> pods();

  Optional<SurveyedPod> findPod(String namespace, String name);

  Collection<Manifest> manifests();

  Collection<Manifest> manifests(String kind);

  Optional<Manifest> find(ObjectReference reference);

  /// One more pod of an owner's template, which it must have, as its controller would make it.
  SurveyedPod podOf(Manifest owner, String name);

  /// Names what could not be read: answers that might depend on it are not complete.
  List<String> unread();

  Settings settings();

  /// Where a change of the pod has to be made to last: the last controller above it, or itself.
  default ObjectReference topOwner(SurveyedPod pod) {
    return Ownership.of(this).topOf(pod);
  }

  /// An engine that knows all of it, and nothing else; each call makes another.
  default Engine engine() {
    var engine = emptyEngine();
    surroundings().forEach(engine::put);
    for (var each : pods()) {
      var pod = each.pod();
      if (!each.isWaiting()) {
        engine.put(pod);
      } else if (!pod.status().nominatedNodeName().isEmpty()) {
        engine.nominate(pod, pod.status().nominatedNodeName());
      }
    }
    return engine;
  }

  /// An engine that decides as the cluster's scheduler does, and knows nothing.
  default Engine emptyEngine() {
    return new Engine(settings().configuration(), settings().seed(), settings().rules());
  }

  /// Pods that wait for a node, in the order in which they were found.
  default List<SurveyedPod> waiting() {
    return pods().stream().filter(SurveyedPod::isWaiting).toList();
  }

  /// Whether some profile is for pods like this one.
  default boolean isServed(Pod pod) {
    return settings().configuration().profiles().stream()
        .anyMatch(profile -> profile.schedulerName().equals(pod.spec().schedulerName()));
  }

  default boolean isComplete() {
    return unread().isEmpty();
  }
}
