package io.berth.answers.source;

import io.berth.api.ClusterObject;
import io.berth.api.ObjectReference;
import io.berth.api.Pod;
import io.berth.api.SchedulerConfiguration;
import io.berth.engine.Engine;
import io.berth.engine.rule.RuleCatalog;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// A cluster as placement reads it, at one moment: what questions are asked about.
///
/// Immutable. Manifests are kept as they were written, so that answers can point at them; engine
/// objects are what an API server would have made of them. `unread` names what could not be read:
/// answers that might depend on it are not complete.
public final class Survey {

  private final Map<ObjectReference, Manifest> manifests;
  private final List<ClusterObject> objects;
  private final Map<String, SurveyedPod> pods;
  private final List<String> unread;
  private final Settings settings;
  private final Ownership ownership;
  private final Preparation preparation;

  /// What is known beside the objects.
  ///
  /// @param namespace where objects of files go that name none
  /// @param revision the state of the cluster, `""` if nobody counts
  /// @param defaults fills in what an API server fills in
  public record Settings(
      String namespace,
      String revision,
      SchedulerConfiguration configuration,
      RuleCatalog rules,
      long seed,
      UnaryOperator<io.berth.api.Tree> defaults) {

    public static final Settings DEFAULT =
        new Settings(
            "default", "", SchedulerConfiguration.DEFAULT, RuleCatalog.NONE, 1, tree -> tree);

    public Settings withConfiguration(SchedulerConfiguration other) {
      return new Settings(namespace, revision, other, rules, seed, defaults);
    }

    public Settings withDefaults(UnaryOperator<io.berth.api.Tree> other) {
      return new Settings(namespace, revision, configuration, rules, seed, other);
    }
  }

  private Survey(Surveyor surveyor, Settings settings) {
    this.manifests = Collections.unmodifiableMap(surveyor.manifests);
    this.objects = List.copyOf(surveyor.objects);
    this.pods = Collections.unmodifiableMap(surveyor.pods);
    this.unread = List.copyOf(surveyor.unread);
    this.settings = settings;
    this.ownership = new Ownership(manifests::get);
    this.preparation = surveyor.preparation;
  }

  /// Of several manifests of one object the last counts. Throws [ManifestException] for an object
  /// of a file that holds what it cannot; one of a cluster is then left unread.
  public static Survey of(Collection<Manifest> manifests, Settings settings, List<String> unread) {
    var laid = new LinkedHashMap<ObjectReference, Manifest>();
    for (var manifest : manifests) {
      var named = Preparation.named(manifest, settings.namespace());
      laid.put(named.reference(), named);
    }
    return new Survey(new Surveyor(laid, settings, unread), settings);
  }

  public static Survey of(Collection<Manifest> manifests) {
    return of(manifests, Settings.DEFAULT, List.of());
  }

  /// The same cluster with these objects laid over it.
  public Survey with(Collection<Manifest> others) {
    var all = new ArrayList<>(manifests.values());
    all.addAll(others);
    return of(all, settings, unread);
  }

  /// The same cluster with another scheduler.
  public Survey with(Settings others) {
    return of(manifests.values(), others, unread);
  }

  /// An engine that knows all of it, and nothing else; each call makes another.
  public Engine engine() {
    var engine = emptyEngine();
    objects.forEach(engine::put);
    for (var each : pods.values()) {
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
  public Engine emptyEngine() {
    return new Engine(settings.configuration(), settings.seed(), settings.rules());
  }

  /// Everything but pods, as the engine reads it.
  public List<ClusterObject> surroundings() {
    return objects;
  }

  public Collection<SurveyedPod> pods() {
    return pods.values();
  }

  public Optional<SurveyedPod> findPod(String namespace, String name) {
    return Optional.ofNullable(pods.get(namespace + "/" + name));
  }

  /// Pods that wait for a node, in the order in which they were found.
  public List<SurveyedPod> waiting() {
    return pods.values().stream().filter(SurveyedPod::isWaiting).toList();
  }

  public Collection<Manifest> manifests() {
    return manifests.values();
  }

  public Optional<Manifest> find(ObjectReference reference) {
    return Optional.ofNullable(manifests.get(reference));
  }

  /// Where a change of the pod has to be made to last: the last controller above it, or itself.
  public ObjectReference topOwner(SurveyedPod pod) {
    return pod.isOfTemplate()
        ? ownership.topOf(pod.source().reference(), pod.source().tree())
        : ownership.topOf(ObjectReference.pod(pod.pod().namespace(), pod.pod().name()), pod.tree());
  }

  /// One more pod of an owner's template, which it must have, as its controller would make it.
  public SurveyedPod podOf(Manifest owner, String name) {
    return preparation.podOf(owner, owner.template().orElseThrow(), name);
  }

  /// Whether some profile is for pods like this one.
  public boolean isServed(Pod pod) {
    return settings.configuration().profiles().stream()
        .anyMatch(profile -> profile.schedulerName().equals(pod.spec().schedulerName()));
  }

  public boolean isComplete() {
    return unread.isEmpty();
  }

  public List<String> unread() {
    return unread;
  }

  public Settings settings() {
    return settings;
  }
}
