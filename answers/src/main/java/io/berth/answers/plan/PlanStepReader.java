package io.berth.answers.plan;

import io.berth.answers.source.Manifest;
import io.berth.answers.source.ManifestReader;
import io.berth.answers.source.Origin;
import io.berth.api.GoDuration;
import io.berth.api.ObjectReference;
import io.berth.api.Tree;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/// Reads steps. The command line is brought into the same form first, so that both mean the same.
public final class PlanStepReader {

  private static final Set<String> REFERENCE = Set.of("kind", "namespace", "name");
  private static final Set<String> SCALE = Set.of("kind", "namespace", "name", "replicas");
  private static final Set<String> CHOICE = Set.of("zone", "node", "labels");
  private static final Set<String> CHANGE = Set.of("node", "set", "remove");
  private static final Set<String> POD =
      Set.of("name", "namespace", "labels", "cpu", "memory", "gpu", "spec");

  private final Path folder;
  private final String namespace;
  private final Function<Tree, List<Tree>> fleets;
  private final Map<String, Function<Object, PlanStep>> readers = new LinkedHashMap<>();

  /// `folder` is where paths begin, `namespace` is for objects that name none, and `fleets` makes
  /// nodes of a NodeFleet.
  public PlanStepReader(Path folder, String namespace, Function<Tree, List<Tree>> fleets) {
    this.folder = folder;
    this.namespace = namespace;
    this.fleets = fleets;
    readers.put("apply", value -> new PlanStep.Apply(files("apply", value)));
    readers.put(
        "delete", value -> new PlanStep.Delete(reference(object("delete", value, REFERENCE))));
    readers.put("scale", this::scale);
    readers.put("lose", value -> new PlanStep.Lose(choice("lose", value)));
    readers.put("drain", value -> new PlanStep.Drain(choice("drain", value)));
    readers.put("cordon", value -> new PlanStep.Cordon(choice("cordon", value), true));
    readers.put("uncordon", value -> new PlanStep.Cordon(choice("uncordon", value), false));
    readers.put("label", PlanStepReader::label);
    readers.put("taint", PlanStepReader::taint);
    readers.put("addNodes", value -> new PlanStep.AddNodes(files("addNodes", value)));
    readers.put("fleet", this::fleet);
    readers.put("pod", this::pod);
    readers.put("passes", PlanStepReader::passes);
  }

  /// The steps of a list, which is the value of a field `steps`.
  public List<PlanStep> readAll(List<?> steps) {
    var read = new ArrayList<PlanStep>();
    for (int i = 0; i < steps.size(); i++) {
      try {
        if (!(steps.get(i) instanceof Tree step)) {
          throw new PlanStepException("expected an object with one field, such as lose: {zone: b}");
        }
        read.add(read(step));
      } catch (PlanStepException e) {
        throw new PlanStepException("step %d: %s".formatted(i + 1, e.getMessage()));
      }
    }
    return read;
  }

  public PlanStep read(Tree step) {
    if (step.names().size() != 1) {
      throw new PlanStepException(
          "a step has one field, of " + String.join(", ", readers.keySet()));
    }
    var word = step.names().iterator().next();
    var reader = readers.get(word);
    if (reader == null) {
      throw new PlanStepException(
          "\"%s\" is no step; use one of %s".formatted(word, String.join(", ", readers.keySet())));
    }
    var value = step.get(word);
    if (value == null) {
      throw new PlanStepException(word + ": a value is missing");
    }
    return reader.apply(value);
  }

  private List<Manifest> files(String step, Object value) {
    var names = value instanceof List<?> list ? list : List.of(value);
    var manifests = new ArrayList<Manifest>();
    for (var name : names) {
      if (!(name instanceof String text)) {
        throw new PlanStepException(step + ": expected a list of files");
      }
      manifests.addAll(ManifestReader.read(folder.resolve(text)));
    }
    return manifests;
  }

  private PlanStep scale(Object value) {
    var object = object("scale", value, SCALE);
    if (!(object.get("replicas") instanceof Long replicas) || replicas < 0) {
      throw new PlanStepException("scale.replicas: expected a number that is not negative");
    }
    return new PlanStep.Scale(reference(object), replicas);
  }

  private ObjectReference reference(Tree object) {
    var kind = KindNames.named(object.textOrEmpty("kind"));
    var name = object.textOrEmpty("name");
    if (kind.isEmpty() || name.isEmpty()) {
      throw new PlanStepException("kind and name are needed, such as Deployment and web");
    }
    var own = object.textOrEmpty("namespace");
    var namespaced = KindNames.isNamespaced(kind);
    return new ObjectReference(kind, !namespaced ? "" : own.isEmpty() ? namespace : own, name);
  }

  private static NodeChoice choice(String step, Object value) {
    var object = object(step, value, CHOICE);
    if (object.names().size() != 1) {
      throw new PlanStepException(step + ": expected one of zone, node, labels");
    }
    var labels = new HashMap<>(object.texts("labels"));
    if (object.has("zone")) {
      labels.put(NodeChoice.ZONE, object.textOrEmpty("zone"));
    }
    var node = object.textOrEmpty("node");
    if (node.isEmpty() && labels.isEmpty()) {
      throw new PlanStepException(step + ": names no node; expected text, such as {zone: b}");
    }
    return new NodeChoice(node, labels);
  }

  private static PlanStep label(Object value) {
    var object = object("label", value, CHANGE);
    return new PlanStep.Relabel(node("label", object), object.texts("set"), texts(object));
  }

  private static PlanStep taint(Object value) {
    var object = object("taint", value, CHANGE);
    for (var taint : object.trees("set")) {
      if (taint.textOrEmpty("key").isEmpty() || taint.textOrEmpty("effect").isEmpty()) {
        throw new PlanStepException(
            "taint.set: a taint has a key and an effect, such as {key: spot, effect: NoSchedule}");
      }
    }
    return new PlanStep.Retaint(node("taint", object), object.trees("set"), texts(object));
  }

  private static String node(String step, Tree object) {
    var node = object.textOrEmpty("node");
    if (node.isEmpty()) {
      throw new PlanStepException(step + ".node: is missing");
    }
    return node;
  }

  private static List<String> texts(Tree object) {
    return object.list("remove").stream().map(String::valueOf).toList();
  }

  private PlanStep fleet(Object value) {
    if (!(value instanceof Tree spec)) {
      throw new PlanStepException("fleet: expected the spec of a NodeFleet");
    }
    var nodes = new ArrayList<Manifest>();
    for (var node : fleets.apply(Tree.of("kind", "NodeFleet", "spec", spec.copy()))) {
      nodes.add(new Manifest(node, new Origin("fleet", 1)));
    }
    return new PlanStep.AddNodes(nodes);
  }

  private PlanStep pod(Object value) {
    var object = object("pod", value, POD);
    var name = object.textOrEmpty("name");
    if (name.isEmpty()) {
      throw new PlanStepException("pod.name: is missing");
    }
    var own = object.textOrEmpty("namespace");
    var meta = Tree.of("name", name, "namespace", own.isEmpty() ? namespace : own);
    meta.put("labels", object.treeOrEmpty("labels").copy());
    var spec = object.treeOrEmpty("spec").copy();
    if (!spec.has("containers")) {
      var requests = new Tree();
      putIfGiven(object, "cpu", requests, "cpu");
      putIfGiven(object, "memory", requests, "memory");
      putIfGiven(object, "gpu", requests, "nvidia.com/gpu");
      var container = Tree.of("name", "main", "resources", Tree.of("requests", requests));
      spec.put("containers", List.of(container));
    }
    var pod = Tree.of("apiVersion", "v1", "kind", "Pod", "metadata", meta, "spec", spec);
    return new PlanStep.AddPod(new Manifest(pod, new Origin("step", 1)));
  }

  private static void putIfGiven(Tree from, String field, Tree to, String name) {
    if (from.has(field)) {
      to.put(name, from.get(field));
    }
  }

  private static PlanStep passes(Object value) {
    try {
      return new PlanStep.Passes(GoDuration.parse(String.valueOf(value)));
    } catch (IllegalArgumentException e) {
      throw new PlanStepException("passes: \"%s\" is no time; write 10m".formatted(value));
    }
  }

  private static Tree object(String step, Object value, Set<String> fields) {
    if (!(value instanceof Tree object)) {
      throw new PlanStepException(step + ": expected an object");
    }
    for (var field : object.names()) {
      if (!fields.contains(field)) {
        throw new PlanStepException(
            "%s.%s: unknown field; use %s"
                .formatted(step, field, String.join(", ", fields.stream().sorted().toList())));
      }
    }
    return object;
  }
}
