package io.berth.kinds.flowcontrol;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.Fields;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.UpdateRules;
import io.berth.kinds.Write;
import io.berth.kinds.meta.ObjectMeta;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// `flowcontrol.apiserver.k8s.io/v1 prioritylevelconfigurations`
public final class PriorityLevelConfigurationStrategy extends PlainStrategy {

  private static final FieldPath SPEC = FieldPath.of("spec");
  private static final List<String> TYPES = List.of("Exempt", "Limited");
  private static final List<String> RESPONSES = List.of("Queue", "Reject");
  private static final String PRESERVE_ZERO =
      "flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares";
  private static final long MAX_QUEUES = 10_000_000;
  private static final int MAX_HASH_BITS = 60;

  public PriorityLevelConfigurationStrategy(Resource resource) {
    super(resource);
  }

  @Override
  public void setDefaults(Tree object) {
    var spec = object.treeOrEmpty("spec");
    if (spec.get("exempt") instanceof Tree exempt) {
      exempt.putIfAbsent("nominalConcurrencyShares", 0L);
      exempt.putIfAbsent("lendablePercent", 0L);
    }
    if (spec.get("limited") instanceof Tree limited) {
      limited.putIfAbsent("nominalConcurrencyShares", 30L);
      limited.putIfAbsent("lendablePercent", 0L);
      if (limited.at("limitResponse", "queuing") instanceof Tree queuing) {
        orElse(queuing, "handSize", 8);
        orElse(queuing, "queues", 64);
        orElse(queuing, "queueLengthLimit", 50);
      }
    }
  }

  private static void orElse(Tree queuing, String field, long value) {
    if (queuing.number(0, field) == 0) {
      queuing.put(field, value);
    }
  }

  @Override
  public void prepareForCreate(Tree object, Write write) {
    object.put("status", new Tree());
    Fields.firstGeneration(object);
  }

  @Override
  public void prepareForUpdate(Tree object, Tree old, Write write) {
    Fields.keep(object, old, "status");
    if (Fields.differs(object, old, "spec")) {
      Fields.nextGeneration(object, old);
    }
  }

  @Override
  public void validateCreate(Tree object, FieldErrors errors) {
    super.validateCreate(object, errors);
    if (object.treeOrEmpty("metadata", "annotations").has(PRESERVE_ZERO)) {
      errors.forbidden(
          FieldPath.of("metadata", "annotations"),
          "annotation '%s' is forbidden".formatted(PRESERVE_ZERO));
    }
    var name = Cells.name(object);
    var spec = object.treeOrEmpty("spec");
    validateSpec(name, spec, errors);
    MandatoryObjects.priorityLevel(name, spec, errors);
  }

  @Override
  public void validateUpdate(Tree object, Tree old, FieldErrors errors) {
    ObjectMeta.validateUpdate(object, old, errors);
    validateCreate(object, errors);
  }

  private static void validateSpec(String name, Tree spec, FieldErrors errors) {
    var type = spec.textOrEmpty("type");
    if (name.equals(MandatoryObjects.EXEMPT) != type.equals("Exempt")) {
      errors.invalid(
          SPEC.child("type"), type, "must be 'Exempt' if and only if `name` is 'exempt'");
    }
    var limited = spec.get("limited");
    var exempt = spec.get("exempt");
    switch (type) {
      case "Exempt" -> {
        if (exempt instanceof Tree shares) {
          validateExempt(SPEC.child("exempt"), shares, errors);
        }
      }
      case "Limited" -> {
        if (limited instanceof Tree shares) {
          validateLimited(SPEC.child("limited"), shares, errors);
        }
      }
      case "" -> {}
      default -> errors.notSupported(SPEC.child("type"), type, TYPES);
    }
    declared(type, limited, exempt, errors.declared());
  }

  private static void declared(
      String type, @Nullable Object limited, @Nullable Object exempt, FieldErrors errors) {
    if (exempt != null && !type.equals("Exempt")) {
      errors.forbidden(SPEC.child("exempt"), "");
    }
    if (limited == null && type.equals("Limited")) {
      errors.required(SPEC.child("limited"));
    } else if (limited != null && !type.equals("Limited")) {
      errors.forbidden(SPEC.child("limited"), "");
    }
    if (type.isEmpty()) {
      errors.required(SPEC.child("type"));
    }
    if (limited instanceof Tree shares) {
      declaredResponse(shares.treeOrEmpty("limitResponse"), errors);
    }
  }

  private static void declaredResponse(Tree response, FieldErrors errors) {
    var path = SPEC.child("limited", "limitResponse");
    var type = response.textOrEmpty("type");
    boolean queues = type.equals("Queue");
    if (queues && response.get("queuing") == null) {
      errors.required(path.child("queuing"));
    } else if (!queues && response.get("queuing") != null) {
      errors.forbidden(path.child("queuing"), "");
    }
    if (type.isEmpty()) {
      errors.required(path.child("type"));
    }
  }

  private static void validateExempt(FieldPath path, Tree exempt, FieldErrors errors) {
    validateShares(path, exempt, errors);
    validateLendable(path, exempt, errors);
  }

  private static void validateShares(FieldPath path, Tree level, FieldErrors errors) {
    long shares = level.number(0, "nominalConcurrencyShares");
    if (shares < 0) {
      errors.invalid(
          path.child("nominalConcurrencyShares"), shares, "must be a non-negative integer");
    }
  }

  private static void validateLendable(FieldPath path, Tree level, FieldErrors errors) {
    long percent = level.number(0, "lendablePercent");
    if (percent < 0 || percent > 100) {
      errors.invalid(
          path.child("lendablePercent"), percent, "must be between 0 and 100, inclusive");
    }
  }

  private static void validateLimited(FieldPath path, Tree limited, FieldErrors errors) {
    validateShares(path, limited, errors);
    var response = limited.treeOrEmpty("limitResponse");
    var type = response.textOrEmpty("type");
    var at = path.child("limitResponse");
    if (type.equals("Queue") && response.get("queuing") instanceof Tree queuing) {
      validateQueuing(at.child("queuing"), queuing, errors);
    } else if (!type.isEmpty() && !RESPONSES.contains(type)) {
      errors.notSupported(at.child("type"), type, RESPONSES);
    }
    validateLendable(path, limited, errors);
    long borrowing = limited.number(0, "borrowingLimitPercent");
    if (borrowing < 0) {
      errors.invalid(
          path.child("borrowingLimitPercent"),
          borrowing,
          "if specified, must be a non-negative integer");
    }
  }

  private static void validateQueuing(FieldPath path, Tree queuing, FieldErrors errors) {
    mustBePositive(path, queuing, "queueLengthLimit", errors);
    long queues = queuing.number(0, "queues");
    if (mustBePositive(path, queuing, "queues", errors) && queues > MAX_QUEUES) {
      errors.invalid(path.child("queues"), queues, "must not be greater than " + MAX_QUEUES);
    }
    if (mustBePositive(path, queuing, "handSize", errors)) {
      validateHand(path.child("handSize"), queues, queuing.number(0, "handSize"), errors);
    }
  }

  private static boolean mustBePositive(
      FieldPath path, Tree queuing, String field, FieldErrors errors) {
    long value = queuing.number(0, field);
    if (value <= 0) {
      errors.invalid(path.child(field), value, "must be positive");
    }
    return value > 0;
  }

  private static void validateHand(FieldPath path, long queues, long hand, FieldErrors errors) {
    if (hand > queues) {
      errors.invalid(path, hand, "should not be greater than queues (%d)".formatted(queues));
    } else if (Math.ceil(log2(queues) * hand) > MAX_HASH_BITS) {
      errors.invalid(
          path,
          hand,
          "required entropy bits of deckSize %d and handSize %d should not be greater than %d"
              .formatted(queues, hand, MAX_HASH_BITS));
    }
  }

  /// Exact for powers of two, where rounding would decide about a bit.
  private static double log2(long number) {
    int exponent = Math.getExponent((double) number);
    return exponent + Math.log(Math.scalb((double) number, -exponent)) / Math.log(2);
  }

  @Override
  public Map<String, UpdateRules> subresources() {
    return Map.of("status", new ConditionRules());
  }

  @Override
  public List<@Nullable Object> cells(Tree object, Instant now) {
    var limited = object.at("spec", "limited") instanceof Tree tree ? tree : null;
    var queuing =
        limited != null && limited.at("limitResponse", "queuing") instanceof Tree tree
            ? tree
            : null;
    return Cells.row(
        Cells.name(object),
        object.textOrEmpty("spec", "type"),
        numberOrNone(limited, "nominalConcurrencyShares"),
        numberOrNone(queuing, "queues"),
        numberOrNone(queuing, "handSize"),
        numberOrNone(queuing, "queueLengthLimit"),
        Cells.age(object, now));
  }

  private static Object numberOrNone(@Nullable Tree tree, String field) {
    return tree == null ? Cells.NONE : (Object) tree.number(0, field);
  }
}
