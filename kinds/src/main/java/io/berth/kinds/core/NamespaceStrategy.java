package io.berth.kinds.core;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.Fields;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.StatusRules;
import io.berth.kinds.UpdateRules;
import io.berth.kinds.Write;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.Names;
import io.berth.kinds.meta.ObjectMeta;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Namespaces: they carry their own name as a label, and a finalizer until they are empty.
///
/// Mirrors: registry/core/namespace.namespaceStrategy, core/validation.ValidateNamespace
public final class NamespaceStrategy extends PlainStrategy {

  private static final String NAME_LABEL = "kubernetes.io/metadata.name";

  public NamespaceStrategy() {
    super(Resource.NAMESPACES, Names.Rule.DNS_LABEL);
  }

  @Override
  public void setDefaults(Tree namespace) {
    labelWithName(namespace);
    PodSpecDefaults.text(namespace.child("status"), "phase", "Active");
  }

  private static void labelWithName(Tree namespace) {
    var name = namespace.textOrEmpty("metadata", "name");
    if (!name.isEmpty()) {
      namespace.child("metadata").child("labels").put(NAME_LABEL, name);
    }
  }

  @Override
  public void prepareForCreate(Tree namespace, Write write) {
    labelWithName(namespace);
    namespace.put("status", Tree.of("phase", "Active"));
    var finalizers = namespace.child("spec").childList("finalizers");
    if (!finalizers.contains("kubernetes")) {
      finalizers.add("kubernetes");
    }
  }

  @Override
  public void validateCreate(Cursor namespace) {
    super.validateCreate(namespace);
    var finalizers = namespace.at("spec", "finalizers");
    finalizers.list().forEach(each -> finalizer(finalizers.with(each)));
  }

  private static void finalizer(Cursor finalizer) {
    finalizer.follows(Names::qualifiedName);
    ObjectMeta.validateFinalizerIsQualified(finalizer);
  }

  @Override
  public void prepareForUpdate(Tree namespace, Tree old, Write write) {
    Fields.keepAt(namespace, old, "spec", "finalizers");
  }

  @Override
  public Map<String, UpdateRules> subresources() {
    return Map.of("status", new Status(), "finalize", new Finalize());
  }

  @Override
  public List<@Nullable Object> cells(Tree namespace, Instant now) {
    return Cells.row(
        Cells.name(namespace), namespace.textOrEmpty("status", "phase"), Cells.age(namespace, now));
  }

  @Override
  public Set<String> fieldLabels() {
    return Set.of("status.phase", "name");
  }

  @Override
  public String fieldValue(Tree namespace, String label) {
    return label.equals("name") ? Cells.name(namespace) : namespace.textOrEmpty("status", "phase");
  }

  /// The phase follows the deletion.
  private static final class Status extends StatusRules {

    @Override
    public void validateUpdate(Cursor namespace, Tree old) {
      super.validateUpdate(namespace, old);
      var phase = namespace.at("status", "Phase").with(namespace.at("status").text("phase"));
      if (namespace.at("metadata").has("deletionTimestamp")) {
        if (!phase.is("Terminating")) {
          phase.invalid("may only be 'Terminating' if `deletionTimestamp` is not empty");
        }
      } else if (!phase.is("Active")) {
        phase.invalid("may only be 'Active' if `deletionTimestamp` is empty");
      }
    }
  }

  /// `namespaces/finalize`, the only way to change `spec.finalizers`.
  private static final class Finalize implements UpdateRules {

    @Override
    public void prepareForUpdate(Tree namespace, Tree old, Write write) {
      Fields.keep(namespace, old, "status");
    }

    @Override
    public void validateUpdate(Cursor namespace, Tree old) {
      ObjectMeta.validateUpdate(namespace, old);
      namespace.at("spec").each("finalizers", NamespaceStrategy::finalizer);
    }
  }
}
