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
import java.util.Objects;
import java.util.function.Function;

/// Reads steps that look as [StepOutlines] say. The command line is brought into the same form
/// first, so that both mean the same.
public final class PlanStepReader {

  private static final String GPU = "nvidia.com/gpu";

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
    readers.put("apply", value -> new PlanStep.Apply(files(value)));
    readers.put("delete", value -> new PlanStep.Delete(reference((Tree) value)));
    readers.put("scale", value -> scale((Tree) value));
    readers.put("lose", value -> new PlanStep.Lose(choice((Tree) value)));
    readers.put("drain", value -> new PlanStep.Drain(choice((Tree) value)));
    readers.put("cordon", value -> new PlanStep.Cordon(choice((Tree) value), true));
    readers.put("uncordon", value -> new PlanStep.Cordon(choice((Tree) value), false));
    readers.put("label", value -> label((Tree) value));
    readers.put("taint", value -> taint((Tree) value));
    readers.put("addNodes", value -> new PlanStep.AddNodes(files(value)));
    readers.put("fleet", value -> fleet((Tree) value));
    readers.put("pod", value -> pod((Tree) value));
    readers.put("passes", value -> passes((String) value));
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
    var mistake = StepOutlines.STEP.mistake(step);
    if (mistake != null) {
      throw new PlanStepException(mistake.toString());
    }
    var word = step.names().iterator().next();
    return Objects.requireNonNull(readers.get(word)).apply(Objects.requireNonNull(step.get(word)));
  }

  private List<Manifest> files(Object value) {
    var names = value instanceof List<?> list ? list : List.of(value);
    var manifests = new ArrayList<Manifest>();
    for (var name : names) {
      manifests.addAll(ManifestReader.read(folder.resolve(String.valueOf(name))));
    }
    return manifests;
  }

  private PlanStep scale(Tree object) {
    return new PlanStep.Scale(reference(object), object.number(0, "replicas"));
  }

  private ObjectReference reference(Tree object) {
    var kind = KindNames.named(object.textOrEmpty("kind"));
    var name = object.textOrEmpty("name");
    var own = object.textOrEmpty("namespace");
    var namespaced = KindNames.isNamespaced(kind);
    return new ObjectReference(kind, !namespaced ? "" : own.isEmpty() ? namespace : own, name);
  }

  private static NodeChoice choice(Tree object) {
    var labels = new HashMap<>(object.texts("labels"));
    if (object.has("zone")) {
      labels.put(NodeChoice.ZONE, object.textOrEmpty("zone"));
    }
    return new NodeChoice(object.textOrEmpty("node"), labels);
  }

  private static PlanStep label(Tree object) {
    return new PlanStep.Relabel(object.textOrEmpty("node"), object.texts("set"), texts(object));
  }

  private static PlanStep taint(Tree object) {
    return new PlanStep.Retaint(object.textOrEmpty("node"), object.trees("set"), texts(object));
  }

  private static List<String> texts(Tree object) {
    return object.list("remove").stream().map(String::valueOf).toList();
  }

  private PlanStep fleet(Tree spec) {
    var nodes = new ArrayList<Manifest>();
    for (var node : fleets.apply(Tree.of("kind", "NodeFleet", "spec", spec.copy()))) {
      nodes.add(new Manifest(node, new Origin("fleet", 1)));
    }
    return new PlanStep.AddNodes(nodes);
  }

  private PlanStep pod(Tree object) {
    var name = object.textOrEmpty("name");
    var own = object.textOrEmpty("namespace");
    var meta = Tree.of("name", name, "namespace", own.isEmpty() ? namespace : own);
    meta.put("labels", object.treeOrEmpty("labels").copy());
    var spec = object.treeOrEmpty("spec").copy();
    if (!spec.has("containers")) {
      var requests = new Tree();
      putIfGiven(object, "cpu", requests, "cpu");
      putIfGiven(object, "memory", requests, "memory");
      putIfGiven(object, "gpu", requests, GPU);
      var resources = Tree.of("requests", requests);
      // Of what cannot be shared, no less may be promised than is asked for.
      if (object.has("gpu")) {
        resources.put("limits", Tree.of(GPU, requests.get(GPU)));
      }
      var container = Tree.of("name", "main", "image", "main", "resources", resources);
      spec.put("containers", List.of(container));
    }
    var pod = Tree.of("apiVersion", "v1", "kind", "Pod", "metadata", meta, "spec", spec);
    return new PlanStep.AddPod(new Manifest(pod, new Origin("step", 1)));
  }

  private static void putIfGiven(Tree from, String field, Tree to, String name) {
    if (from.has(field)) {
      to.put(name, String.valueOf(from.get(field)));
    }
  }

  private static PlanStep passes(String time) {
    return new PlanStep.Passes(GoDuration.parse(time));
  }
}
