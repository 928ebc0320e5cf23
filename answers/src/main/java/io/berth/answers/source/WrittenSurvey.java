package io.berth.answers.source;

import io.berth.api.ClusterObject;
import io.berth.api.ObjectReference;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A survey of manifests that somebody has read. Immutable.
final class WrittenSurvey implements Survey {

  private final Map<ObjectReference, Manifest> manifests;
  private final List<ClusterObject> objects;
  private final Map<String, SurveyedPod> pods;
  private final List<String> unread;
  private final Settings settings;
  private final Preparation preparation;

  WrittenSurvey(Surveyor surveyor, Settings settings) {
    this.manifests = Collections.unmodifiableMap(surveyor.manifests);
    this.objects = List.copyOf(surveyor.objects);
    this.pods = Collections.unmodifiableMap(surveyor.pods);
    this.unread = List.copyOf(surveyor.unread);
    this.settings = settings;
    this.preparation = surveyor.preparation;
  }

  @Override
  public List<ClusterObject> surroundings() {
    return objects;
  }

  @Override
  public Collection<SurveyedPod> pods() {
    return pods.values();
  }

  @Override
  public Optional<SurveyedPod> findPod(String namespace, String name) {
    return Optional.ofNullable(pods.get(namespace + "/" + name));
  }

  @Override
  public Collection<Manifest> manifests() {
    return manifests.values();
  }

  @Override
  public Collection<Manifest> manifests(String kind) {
    return manifests.values().stream().filter(each -> each.kind().equals(kind)).toList();
  }

  @Override
  public Optional<Manifest> find(ObjectReference reference) {
    return Optional.ofNullable(manifests.get(reference));
  }

  @Override
  public SurveyedPod podOf(Manifest owner, String name) {
    return preparation.podOf(owner, owner.template().orElseThrow(), name);
  }

  @Override
  public List<String> unread() {
    return unread;
  }

  @Override
  public Settings settings() {
    return settings;
  }
}
