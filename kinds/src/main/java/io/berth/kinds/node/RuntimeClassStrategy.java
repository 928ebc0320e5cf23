package io.berth.kinds.node;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.core.GoStructs;
import io.berth.kinds.core.ResourceNames;
import io.berth.kinds.core.Tolerations;
import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.Names;
import io.berth.kinds.meta.ObjectMeta;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// `node.k8s.io/v1 runtimeclasses`
///
/// Mirrors: registry/node/runtimeclass.strategy, node/validation.ValidateRuntimeClass
public final class RuntimeClassStrategy extends PlainStrategy {

  private static final List<String> KEYS = List.of("key", "operator", "value", "effect");

  public RuntimeClassStrategy(Resource resource) {
    super(resource);
  }

  @Override
  public void validateCreate(Cursor object) {
    ObjectMeta.validateCustom(object, false);
    validateHandler(object.at("handler"));
    validateOverhead(object.at("overhead"));
    ObjectMeta.validateLabels(object.at("scheduling", "nodeSelector"));
    validateTolerations(object.at("scheduling", "tolerations"));
  }

  private static void validateHandler(Cursor handler) {
    handler.declared().required().follows(Names::dnsLabelInBytes);
  }

  // As in Kubernetes, which calls the field by another name than it has.
  private static void validateOverhead(Cursor overhead) {
    for (var amount : overhead.at("limits").with(overhead.at("podFixed").value()).entries()) {
      ResourceNames.validateOfContainer(amount.name(), amount);
      ResourceNames.validateAmount(amount.name(), amount);
    }
  }

  private static void validateTolerations(Cursor tolerations) {
    Tolerations.validate(tolerations);
    var seen = new HashSet<List<String>>();
    for (var toleration : tolerations.each()) {
      if (!seen.add(KEYS.stream().map(toleration::text).toList())) {
        toleration.duplicate(GoStructs.TOLERATION.of(toleration.tree()));
      }
    }
  }

  @Override
  public void validateUpdate(Cursor object, Tree old) {
    ObjectMeta.validateAnyUpdate(object, old);
    var handler = object.at("handler");
    if (!Objects.equals(handler.value(), old.get("handler"))) {
      handler.declared().invalid(null, Checks.IMMUTABLE);
      validateHandler(handler);
    }
  }

  @Override
  public List<@Nullable Object> cells(Tree object, Instant now) {
    return Cells.row(Cells.name(object), object.textOrEmpty("handler"), Cells.age(object, now));
  }
}
