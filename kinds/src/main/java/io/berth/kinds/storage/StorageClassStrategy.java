package io.berth.kinds.storage;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.Names;
import io.berth.kinds.meta.ObjectMeta;
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
public final class StorageClassStrategy extends PlainStrategy {

  private static final int MAX_PARAMETERS = 512;
  private static final int MAX_PARAMETER_BYTES = 256 * 1024;
  private static final List<String> POLICIES = List.of("Delete", "Retain");
  private static final List<String> MODES = List.of("Immediate", "WaitForFirstConsumer");
  private static final List<String> IMMUTABLE =
      List.of("parameters", "provisioner", "reclaimPolicy", "volumeBindingMode");

  public StorageClassStrategy() {
    super(Resource.STORAGE_CLASSES);
  }

  @Override
  public void setDefaults(Tree object) {
    object.putIfAbsent("reclaimPolicy", "Delete");
    object.putIfAbsent("volumeBindingMode", "Immediate");
  }

  @Override
  public boolean deleteReturnsObject() {
    return true;
  }

  @Override
  public void validateCreate(Tree object, FieldErrors errors) {
    super.validateCreate(object, errors);
    validateClass(object, errors);
  }

  private static void validateClass(Tree object, FieldErrors errors) {
    validateProvisioner(FieldPath.of("provisioner"), object.textOrEmpty("provisioner"), errors);
    validateParameters(object, errors);
    var policy = object.textOrEmpty("reclaimPolicy");
    if (!policy.isEmpty()) {
      Checks.supported(FieldPath.of("reclaimPolicy"), policy, POLICIES, errors);
    }
    Checks.supported(
        FieldPath.of("volumeBindingMode"), object.textOrEmpty("volumeBindingMode"), MODES, errors);
    validateTopologies(object, errors);
  }

  static void validateProvisioner(FieldPath path, String provisioner, FieldErrors errors) {
    if (Checks.required(path, provisioner, errors)) {
      var name = provisioner.toLowerCase(Locale.ROOT);
      Checks.complaints(path, name, Names.qualifiedName(name), errors);
    }
  }

  static void validateParameters(Tree object, FieldErrors errors) {
    var path = FieldPath.of("parameters");
    var parameters = object.texts("parameters");
    if (parameters.size() > MAX_PARAMETERS) {
      errors.tooLong(path, MAX_PARAMETERS);
      return;
    }
    int bytes = 0;
    for (var entry : parameters.entrySet()) {
      if (entry.getKey().isEmpty()) {
        errors.invalid(path, entry.getKey(), "field can not be empty.");
      }
      bytes += Names.bytes(entry.getKey()) + Names.bytes(entry.getValue());
    }
    if (bytes > MAX_PARAMETER_BYTES) {
      errors.tooLong(path, MAX_PARAMETER_BYTES);
    }
  }

  private static void validateTopologies(Tree object, FieldErrors errors) {
    var topologies = object.trees("allowedTopologies");
    var seen = new HashSet<Map<String, Set<Object>>>();
    for (int i = 0; i < topologies.size(); i++) {
      var path = FieldPath.of("allowedTopologies").index(i).child("matchLabelExpressions");
      var expressions = topologies.get(i).trees("matchLabelExpressions");
      var keys = new HashSet<String>();
      var terms = new HashMap<String, Set<Object>>();
      for (int j = 0; j < expressions.size(); j++) {
        validateExpression(expressions.get(j), keys, path.index(j), errors);
        terms.put(
            expressions.get(j).textOrEmpty("key"),
            new HashSet<>(expressions.get(j).list("values")));
      }
      // As in Kubernetes, a term without expressions is refused as a duplicate of nothing.
      if (terms.isEmpty() || !seen.add(terms)) {
        errors.duplicate(path, "");
      }
    }
  }

  private static void validateExpression(
      Tree expression, Set<String> keys, FieldPath path, FieldErrors errors) {
    var key = expression.textOrEmpty("key");
    var values = expression.list("values");
    if (values.isEmpty()) {
      errors.required(path.child("values"));
    }
    var seen = new HashSet<>();
    for (int i = 0; i < values.size(); i++) {
      if (!seen.add(values.get(i))) {
        errors.duplicate(path.child("values").index(i), values.get(i));
      }
    }
    ObjectMeta.validateLabelName(key, path.child("key"), errors);
    if (!keys.add(key)) {
      errors.duplicate(path.child("key"), key);
    }
  }

  @Override
  public void validateUpdate(Tree object, Tree old, FieldErrors errors) {
    validateClass(object, errors);
    super.validateUpdate(object, old, errors);
    for (var field : IMMUTABLE) {
      if (!Objects.equals(object.get(field), old.get(field))) {
        errors.declared().invalid(FieldPath.of(field), null, Checks.IMMUTABLE);
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
