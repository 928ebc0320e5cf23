package io.berth.kinds.storage;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.Names;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// `storage.k8s.io/v1 storageclasses`
///
/// Mirrors: registry/storage/storageclass.storageClassStrategy,
/// storage/validation.ValidateStorageClass
public final class StorageClassStrategy extends PlainStrategy {

  private static final int MAX_PARAMETERS = 512;
  private static final int MAX_PARAMETER_BYTES = 256 * 1024;
  private static final List<String> POLICIES = List.of("Delete", "Retain");
  private static final String[] IMMUTABLE = {
    "parameters", "provisioner", "reclaimPolicy", "volumeBindingMode"
  };

  public StorageClassStrategy() {
    super(Resource.STORAGE_CLASSES);
  }

  @Override
  public void setDefaults(Tree object) {
    object.putIfAbsent("reclaimPolicy", "Delete");
    object.putIfAbsent("volumeBindingMode", "Immediate");
  }

  @Override
  public void validateCreate(Cursor object) {
    super.validateCreate(object);
    validateClass(object);
  }

  private static void validateClass(Cursor object) {
    validateProvisioner(object.at("provisioner"));
    validateParameters(object.at("parameters"));
    object.at("reclaimPolicy").ifFilled().supported(POLICIES);
    object.at("volumeBindingMode").supported();
    validateTopologies(object.each("allowedTopologies"));
  }

  static void validateProvisioner(Cursor provisioner) {
    var name = provisioner.required();
    name.with(name.text().toLowerCase(Locale.ROOT)).follows(Names::qualifiedName);
  }

  static void validateParameters(Cursor parameters) {
    var texts = parameters.texts();
    if (texts.size() > MAX_PARAMETERS) {
      parameters.tooLong(MAX_PARAMETERS);
      return;
    }
    int bytes = 0;
    for (var entry : texts.entrySet()) {
      if (entry.getKey().isEmpty()) {
        parameters.invalid("", "field can not be empty.");
      }
      bytes += Names.bytes(entry.getKey()) + Names.bytes(entry.getValue());
    }
    if (bytes > MAX_PARAMETER_BYTES) {
      parameters.tooLong(MAX_PARAMETER_BYTES);
    }
  }

  private static void validateTopologies(List<Cursor> topologies) {
    var seen = new HashSet<Map<String, Set<Object>>>();
    for (var topology : topologies) {
      var keys = new HashSet<String>();
      var terms = new HashMap<String, Set<Object>>();
      for (var expression : topology.each("matchLabelExpressions")) {
        var values = new HashSet<String>();
        expression.at("values").required();
        expression.each("values", value -> value.unique(values));
        expression.at("key").follows(Names::qualifiedName).unique(keys);
        terms.put(expression.text("key"), new HashSet<>(values));
      }
      // As in Kubernetes, a term without expressions is refused as a duplicate of nothing.
      if (terms.isEmpty() || !seen.add(terms)) {
        topology.at("matchLabelExpressions").duplicate("");
      }
    }
  }

  @Override
  public void validateUpdate(Cursor object, Tree old) {
    validateClass(object);
    super.validateUpdate(object, old);
    for (var field : object.declared().fields(IMMUTABLE)) {
      if (!Objects.equals(field.value(), old.get(field.name()))) {
        field.invalid(null, Checks.IMMUTABLE);
      }
    }
  }

  @Override
  public List<@Nullable Object> cells(Tree object, Instant now) {
    var annotations = object.texts("metadata", "annotations");
    boolean isDefault =
        "true".equals(annotations.get("storageclass.kubernetes.io/is-default-class"))
            || "true".equals(annotations.get("storageclass.beta.kubernetes.io/is-default-class"));
    return Cells.row(
        Cells.name(object) + (isDefault ? " (default)" : ""),
        object.textOrEmpty("provisioner"),
        object.textOrEmpty("reclaimPolicy"),
        object.textOrEmpty("volumeBindingMode"),
        object.flag("allowVolumeExpansion"),
        Cells.age(object, now));
  }
}
