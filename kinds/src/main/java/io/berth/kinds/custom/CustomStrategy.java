package io.berth.kinds.custom;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Columns;
import io.berth.kinds.Fields;
import io.berth.kinds.ScaleRules;
import io.berth.kinds.Strategy;
import io.berth.kinds.UpdateRules;
import io.berth.kinds.Write;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.ObjectMeta;
import io.berth.schema.crd.CustomResource;
import io.berth.schema.crd.ObjectRules;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The rules of one version of a custom kind.
///
/// Objects come decoded, pruned and with the version's defaults.
///
/// Mirrors: apiextensions-apiserver/pkg/registry/customresource.customResourceStrategy
final class CustomStrategy implements Strategy {

  private final Resource resource;
  private final ObjectRules rules;
  private final boolean hasStatus;
  private final @Nullable CustomScale scale;
  private final PrinterColumns columns;
  private final Map<String, JsonPath> selectable = new TreeMap<>();

  CustomStrategy(Resource resource, Tree version, CustomResource objects) {
    this.resource = resource;
    this.rules = objects.rules();
    this.hasStatus = version.at("subresources", "status") != null;
    var declared = version.tree("subresources", "scale");
    this.scale = declared == null ? null : new CustomScale(declared);
    this.columns = new PrinterColumns(version.trees("additionalPrinterColumns"));
    for (var field : version.trees("selectableFields")) {
      var path = field.textOrEmpty("jsonPath");
      var name = path.startsWith(".") ? path.substring(1) : path;
      JsonPath.parse(path).ifPresent(parsed -> selectable.put(name, parsed));
    }
  }

  @Override
  public void prepareForCreate(Tree object, Write write) {
    if (hasStatus) {
      object.remove("status");
    }
    Fields.firstGeneration(object);
  }

  @Override
  public void prepareForUpdate(Tree object, Tree old, Write write) {
    if (hasStatus) {
      Fields.keep(object, old, "status");
    }
    if (differs(object, old)) {
      Fields.nextGeneration(object, old);
    }
  }

  /// Whether anything but the metadata changed.
  private static boolean differs(Tree object, Tree old) {
    var names = new HashSet<>(object.names());
    names.addAll(old.names());
    names.removeAll(Set.of("metadata", "apiVersion"));
    for (var name : names) {
      if (object.has(name) != old.has(name) || Fields.differs(object, old, name)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void validateCreate(Cursor object) {
    ObjectMeta.validateCustom(object, resource.namespaced());
    validate(object, null);
  }

  @Override
  public void validateUpdate(Cursor object, Tree old) {
    validate(object, old);
  }

  private void validate(Cursor object, @Nullable Tree old) {
    rules.checkValues(object.tree(), old, object.errors());
    if (scale != null) {
      scale.validate(object);
    }
    rules.checkStructure(object.tree(), old, object.errors());
  }

  @Override
  public Map<String, UpdateRules> subresources() {
    return hasStatus ? Map.of("status", new CustomStatusRules()) : Map.of();
  }

  @Override
  public @Nullable ScaleRules scale() {
    return scale;
  }

  @Override
  public List<Columns.Column> columns(Resource served) {
    return columns.columns();
  }

  @Override
  public List<@Nullable Object> cells(Tree object, Instant now) {
    return columns.cells(object, now);
  }

  @Override
  public Set<String> fieldLabels() {
    return selectable.keySet();
  }

  @Override
  public boolean convertsFieldLabels() {
    return true;
  }

  @Override
  public String fieldValue(Tree object, String label) {
    var path = selectable.get(label);
    var found = path == null ? List.of() : path.find(object);
    return found.isEmpty() || found.getFirst() == null ? "" : String.valueOf(found.getFirst());
  }

  @Override
  public List<String> warningsOnCreate(Tree object) {
    return Finalizers.warnings(object, new Tree());
  }

  @Override
  public List<String> warningsOnUpdate(Tree object, Tree old) {
    var warnings = new ArrayList<>(Finalizers.warnings(object, old));
    warnings.addAll(rules.warnings(object, old));
    return warnings;
  }

  /// `status`: nothing but the status changes.
  private final class CustomStatusRules implements UpdateRules {

    @Override
    public void prepareForUpdate(Tree object, Tree old, Write write) {
      var managed = object.at("metadata", "managedFields");
      Fields.keepOthers(object, old, "status");
      if (managed != null) {
        object.child("metadata").put("managedFields", managed);
      }
    }

    @Override
    public void validateUpdate(Cursor object, Tree old) {
      rules.checkStatusValues(object.tree(), old, object.errors());
      if (scale != null) {
        scale.validateStatus(object);
      }
      rules.checkStatusStructure(object.tree(), old, object.errors());
    }

    @Override
    public List<String> warningsOnUpdate(Tree object, Tree old) {
      return CustomStrategy.this.warningsOnUpdate(object, old);
    }
  }
}
