package io.berth.answers.plan;

import io.berth.answers.source.Manifest;
import io.berth.answers.source.Survey;
import io.berth.answers.source.SurveyedPod;
import io.berth.api.ClusterObject;
import io.berth.api.ObjectReference;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/// An imagined cluster as it is now, for questions about it.
record ImaginedSurvey(ImaginedCluster cluster) implements Survey {

  @Override
  public Collection<? extends ClusterObject> surroundings() {
    return cluster.engine().surroundings();
  }

  @Override
  public Collection<SurveyedPod> pods() {
    return Collections.unmodifiableCollection(cluster.pods());
  }

  @Override
  public Optional<SurveyedPod> findPod(String namespace, String name) {
    return cluster.findPod(namespace + "/" + name).map(pod -> pod);
  }

  @Override
  public Collection<Manifest> manifests() {
    return cluster.manifests();
  }

  @Override
  public Collection<Manifest> manifests(String kind) {
    return cluster.manifests().stream().filter(each -> each.kind().equals(kind)).toList();
  }

  @Override
  public Optional<Manifest> find(ObjectReference reference) {
    return cluster.find(reference);
  }

  @Override
  public SurveyedPod podOf(Manifest owner, String name) {
    return cluster.survey().podOf(owner, name);
  }

  @Override
  public List<String> unread() {
    return cluster.survey().unread();
  }

  @Override
  public Settings settings() {
    return cluster.survey().settings();
  }
}
