package io.berth.answers.live;

import io.berth.answers.explain.Explanations;
import io.berth.answers.explain.PodExplanation;
import io.berth.answers.live.LiveCluster.Moment;
import io.berth.answers.source.Manifest;
import io.berth.answers.source.Survey;
import io.berth.api.ClusterObject;
import io.berth.api.ObjectReference;
import io.berth.api.Pod;
import io.berth.api.Tree;
import io.berth.codec.ClusterKind;
import io.berth.codec.Yaml;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A cluster with a scheduler that does what the test says, and tells of it.
final class TellingCluster implements LiveSource {

  private final Map<ObjectReference, Tree> objects = new LinkedHashMap<>();
  private final Map<String, Happening.Assumed> assumed = new LinkedHashMap<>();
  private final Map<String, Happening.Nominated> nominated = new LinkedHashMap<>();
  private final LiveCluster live = new LiveCluster(this);
  private Hearing hearing = new Hearing();
  private long revision = 10;
  private int beginnings;

  TellingCluster node(String name, String cpu) {
    return put(
        """
        {apiVersion: v1, kind: Node,
         metadata: {name: %1$s, labels: {kubernetes.io/hostname: %1$s}},
         status: {allocatable: {cpu: '%2$s', memory: 8Gi, pods: '10'}}}
        """
            .formatted(name, cpu));
  }

  /// A pod of namespace `shop` that asks for so much cpu; on a node unless that is empty.
  TellingCluster pod(String name, String node, String cpu) {
    return put(
        """
        {apiVersion: v1, kind: Pod, metadata: {namespace: shop, name: %1$s, uid: u-%1$s},
         spec: {nodeName: '%2$s', schedulerName: default-scheduler, containers: [
           {name: app, image: x, resources: {requests: {cpu: %3$s}}}]}}
        """
            .formatted(name, node, cpu));
  }

  TellingCluster put(String yaml) {
    var tree = Yaml.read(yaml).freeze();
    var object = read(tree);
    revision++;
    objects.put(object.reference(), tree);
    if (object instanceof Pod pod && !pod.nodeName().isEmpty()) {
      assumed.remove(pod.key());
    }
    hearing.hear(new Happening.Put(object, revision));
    return this;
  }

  /// Tells so often of something that changes nothing.
  void flood(int count) {
    var happening = new Happening.Removed(ObjectReference.pod("shop", "nobody"));
    for (int i = 0; i < count; i++) {
      hearing.hear(happening);
    }
  }

  TellingCluster remove(String name) {
    var reference = ObjectReference.pod("shop", name);
    objects.remove(reference);
    assumed.remove(reference.key());
    hearing.hear(new Happening.Removed(reference));
    return this;
  }

  TellingCluster assume(String name, String node) {
    var happening = new Happening.Assumed(pod(name), node);
    assumed.put(pod(name).key(), happening);
    hearing.hear(happening);
    return this;
  }

  TellingCluster forget(String name) {
    assumed.remove(pod(name).key());
    hearing.hear(new Happening.Forgotten(pod(name)));
    return this;
  }

  TellingCluster nominate(String name, String node) {
    var happening = new Happening.Nominated(pod(name), node);
    nominated.put(pod(name).key(), happening);
    hearing.hear(happening);
    return this;
  }

  /// Another scheduler takes over, as after a change of the configuration.
  TellingCluster startAnew() {
    hearing = new Hearing();
    return this;
  }

  Hearing hearing() {
    return hearing;
  }

  int beginnings() {
    return beginnings;
  }

  LiveCluster live() {
    return live;
  }

  PodExplanation explain(String name) throws InterruptedException {
    return live.ask(moment -> explain(moment, name));
  }

  private static PodExplanation explain(Moment moment, String name) {
    var pod = moment.survey().findPod("shop", name).orElseThrow();
    return new Explanations(moment.survey(), moment.engine()).explain(pod, Explanations.Wish.ALL);
  }

  /// What is answered by somebody who reads the cluster as it is written.
  PodExplanation explainedByReading(String name) {
    var manifests = objects.values().stream().map(Manifest::ofCluster).toList();
    var survey = Survey.of(manifests);
    return explain(new Moment(survey, survey.engine()), name);
  }

  private Pod pod(String name) {
    return (Pod) read(find(ObjectReference.pod("shop", name)).orElseThrow());
  }

  private static ClusterObject read(Tree tree) {
    return ClusterKind.find(tree.textOrEmpty("kind")).orElseThrow().read(tree);
  }

  @Override
  public Scheduling now() {
    return new Scheduling(hearing, Survey.Settings.DEFAULT);
  }

  @Override
  public void begin(Hearing into) {
    beginnings++;
    var all = new ArrayList<Happening>();
    objects.values().forEach(each -> all.add(new Happening.Put(read(each), 0)));
    all.addAll(assumed.values());
    all.addAll(nominated.values());
    into.begin(all);
  }

  @Override
  public long revision() {
    return revision;
  }

  @Override
  public Optional<Tree> find(ObjectReference reference) {
    return Optional.ofNullable(objects.get(reference));
  }

  @Override
  public List<Tree> all(String kind) {
    return objects.values().stream().filter(each -> each.textOrEmpty("kind").equals(kind)).toList();
  }

  @Override
  public List<String> kinds() {
    return ClusterKind.ALL.stream().map(ClusterKind::name).toList();
  }
}
