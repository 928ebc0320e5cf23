package io.berth.kinds.node;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Resource;
import io.berth.api.ResourceList;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.core.GoStructs;
import io.berth.kinds.core.ResourceNames;
import io.berth.kinds.core.Tolerations;
import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.Names;
import io.berth.kinds.meta.ObjectMeta;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// `node.k8s.io/v1 runtimeclasses`
public final class RuntimeClassStrategy extends PlainStrategy {

  private static final FieldPath SCHEDULING = FieldPath.of("scheduling");
  private static final List<String> KEYS = List.of("key", "operator", "value", "effect");

  public RuntimeClassStrategy(Resource resource) {
    super(resource);
  }

  @Override
  public boolean allowUnconditionalUpdate() {
    return false;
  }

  @Override
  public boolean allowCreateOnUpdate() {
    return true;
  }

  @Override
  public void validateCreate(Tree object, FieldErrors errors) {
    ObjectMeta.validateCustom(object, false, errors);
    validateHandler(object, errors);
    validateOverhead(object, errors);
    var scheduling = object.treeOrEmpty("scheduling");
    ObjectMeta.validateLabels(
        scheduling.texts("nodeSelector"), SCHEDULING.child("nodeSelector"), errors);
    validateTolerations(scheduling.trees("tolerations"), errors);
  }

  private static void validateHandler(Tree object, FieldErrors errors) {
    var path = FieldPath.of("handler");
    var handler = object.textOrEmpty("handler");
    if (Checks.required(path, handler, errors.declared())) {
      Checks.complaints(path, handler, Names.dnsLabelInBytes(handler), errors.declared());
    }
  }

  private static void validateOverhead(Tree object, FieldErrors errors) {
    var path = FieldPath.of("overhead", "limits");
    ResourceList.read(object.tree("overhead", "podFixed"))
        .forEach((name, amount) -> {
          ResourceNames.validateOfContainer(name, path.key(name), errors);
          ResourceNames.validateAmount(name, amount, path.key(name), errors);
        });
  }

  private static void validateTolerations(List<Tree> tolerations, FieldErrors errors) {
    var path = SCHEDULING.child("tolerations");
    Tolerations.validate(tolerations, path, errors);
    var seen = new HashSet<List<String>>();
    for (int i = 0; i < tolerations.size(); i++) {
      var toleration = tolerations.get(i);
      var key = KEYS.stream().map(toleration::textOrEmpty).toList();
      if (!seen.add(key)) {
        errors.duplicate(path.index(i), GoStructs.TOLERATION.of(toleration));
      }
    }
  }

  @Override
  public void validateUpdate(Tree object, Tree old, FieldErrors errors) {
    ObjectMeta.validateAnyUpdate(object, old, errors);
    if (!Objects.equals(object.get("handler"), old.get("handler"))) {
      errors.declared().invalid(FieldPath.of("handler"), null, Checks.IMMUTABLE);
      validateHandler(object, errors);
    }
  }

  @Override
  public List<@Nullable Object> cells(Tree object, Instant now) {
    return Cells.row(Cells.name(object), object.textOrEmpty("handler"), Cells.age(object, now));
  }
}
