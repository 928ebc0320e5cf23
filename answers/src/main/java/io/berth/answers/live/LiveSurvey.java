package io.berth.answers.live;

import io.berth.answers.source.Manifest;
import io.berth.answers.source.Preparation;
import io.berth.answers.source.Survey;
import io.berth.answers.source.SurveyedPod;
import io.berth.api.ClusterObject;
import io.berth.api.ObjectReference;
import io.berth.api.Pod;
import io.berth.api.Tree;
import io.berth.codec.FieldException;
import io.berth.codec.PodReader;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/// A cluster as the engine beside its scheduler knows it. How objects are written is looked up in
/// the cluster when an answer needs it, and may by then be newer than what the engine knows.
///
/// Good for one question, on the thread that asks.
final class LiveSurvey implements Survey {

  private final Companion companion;
  private final LiveSource source;
  private final Settings settings;
  private final List<String> unread;

  LiveSurvey(Companion companion, LiveSource source, Settings settings) {
    this.companion = companion;
    this.source = source;
    this.settings = settings;
    this.unread =
        settings.configuration().extenders().isEmpty()
            ? List.of()
            : List.of("extenders of the scheduler's configuration: they are not asked");
  }

  @Override
  public Collection<? extends ClusterObject> surroundings() {
    return companion.engine().surroundings();
  }

  @Override
  public Collection<SurveyedPod> pods() {
    var all = new ArrayList<SurveyedPod>(companion.pods().size());
    companion.pods().forEach(pod -> all.add(new HeardPod(companion.promised(pod))));
    return all;
  }

  /// Also a pod that the scheduler has not heard of, or does not care for.
  @Override
  public Optional<SurveyedPod> findPod(String namespace, String name) {
    var reference = ObjectReference.pod(namespace, name);
    var known = companion.find(reference.key());
    return known == null
        ? source.find(reference).flatMap(LiveSurvey::read)
        : Optional.of(new HeardPod(known));
  }

  private static Optional<SurveyedPod> read(Tree tree) {
    try {
      return Optional.of(SurveyedPod.of(PodReader.read(tree), tree, Manifest.ofCluster(tree)));
    } catch (FieldException e) {
      return Optional.empty();
    }
  }

  @Override
  public Collection<Manifest> manifests() {
    var all = new ArrayList<Manifest>();
    source.kinds().forEach(kind -> all.addAll(manifests(kind)));
    return all;
  }

  @Override
  public Collection<Manifest> manifests(String kind) {
    return source.all(kind).stream().map(Manifest::ofCluster).toList();
  }

  @Override
  public Optional<Manifest> find(ObjectReference reference) {
    return source.find(reference).map(Manifest::ofCluster);
  }

  @Override
  public SurveyedPod podOf(Manifest owner, String name) {
    return new Preparation(settings.defaults(), manifests("PriorityClass"))
        .podOf(owner, owner.template().orElseThrow(), name);
  }

  @Override
  public List<String> unread() {
    return unread;
  }

  @Override
  public Settings settings() {
    return settings;
  }

  /// A pod that the scheduler told of; how it is written is read when somebody looks.
  private final class HeardPod implements SurveyedPod {

    private final Pod pod;

    HeardPod(Pod pod) {
      this.pod = pod;
    }

    @Override
    public Pod pod() {
      return pod;
    }

    /// One that has gone since is known by its name.
    @Override
    public Tree tree() {
      return source.find(pod.reference()).orElseGet(this::named);
    }

    private Tree named() {
      return Tree.of("apiVersion", "v1", "kind", Pod.KIND)
          .put("metadata", Tree.of("name", pod.name(), "namespace", pod.namespace()))
          .freeze();
    }

    @Override
    public Manifest source() {
      return Manifest.ofCluster(tree());
    }

    @Override
    public boolean isOfTemplate() {
      return false;
    }
  }
}
