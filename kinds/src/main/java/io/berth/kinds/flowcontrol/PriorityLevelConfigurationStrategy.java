package io.berth.kinds.flowcontrol;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.UpdateRules;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.ObjectMeta;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// `flowcontrol.apiserver.k8s.io/v1 prioritylevelconfigurations`
///
/// Mirrors: registry/flowcontrol/prioritylevelconfiguration.priorityLevelConfigurationStrategy,
/// flowcontrol/validation.ValidatePriorityLevelConfiguration
public final class PriorityLevelConfigurationStrategy extends PlainStrategy {

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
  public void validateCreate(Cursor object) {
    super.validateCreate(object);
    var annotations = object.at("metadata", "annotations");
    if (annotations.has(PRESERVE_ZERO)) {
      annotations.forbidden("annotation '%s' is forbidden".formatted(PRESERVE_ZERO));
    }
    var name = object.at("metadata").text("name");
    var spec = object.at("spec");
    validateSpec(name, spec);
    MandatoryObjects.priorityLevel(name, spec);
  }

  @Override
  public void validateUpdate(Cursor object, Tree old) {
    ObjectMeta.validateUpdate(object, old);
    validateCreate(object);
  }

  private static void validateSpec(String name, Cursor spec) {
    var type = spec.at("type");
    if (name.equals(MandatoryObjects.EXEMPT) != type.is("Exempt")) {
      type.invalidText("must be 'Exempt' if and only if `name` is 'exempt'");
    }
    switch (type.text()) {
      case "Exempt" -> {
        validateShares(spec.at("exempt"));
        validateLendable(spec.at("exempt"));
      }
      case "Limited" -> validateLimited(spec.at("limited"));
      case "" -> {}
      default -> type.notSupported(TYPES);
    }
    declared(spec.declared());
  }

  private static void declared(Cursor spec) {
    var type = spec.at("type");
    if (!type.is("Exempt")) {
      spec.forbidden("", "exempt");
    }
    if (!type.is("Limited")) {
      spec.forbidden("", "limited");
    } else {
      spec.at("limited").required();
    }
    type.required();
    var response = spec.at("limited").ifSet().at("limitResponse");
    if (response.at("type").is("Queue")) {
      response.at("queuing").required();
    } else {
      response.forbidden("", "queuing");
    }
    response.at("type").required();
  }

  private static void validateShares(Cursor level) {
    var shares = level.at("nominalConcurrencyShares");
    if (shares.number() < 0) {
      shares.invalid("must be a non-negative integer");
    }
  }

  private static void validateLendable(Cursor level) {
    var percent = level.at("lendablePercent");
    if (percent.number() < 0 || percent.number() > 100) {
      percent.invalid("must be between 0 and 100, inclusive");
    }
  }

  private static void validateLimited(Cursor limited) {
    validateShares(limited);
    var response = limited.at("limitResponse");
    var type = response.at("type");
    if (type.is("Queue")) {
      response.at("queuing").ifSet(PriorityLevelConfigurationStrategy::validateQueuing);
    } else {
      type.ifFilled().supported(RESPONSES);
    }
    validateLendable(limited);
    var borrowing = limited.at("borrowingLimitPercent");
    if (borrowing.number() < 0) {
      borrowing.invalid("if specified, must be a non-negative integer");
    }
  }

  private static void validateQueuing(Cursor queuing) {
    mustBePositive(queuing.at("queueLengthLimit"));
    var queues = queuing.at("queues");
    if (mustBePositive(queues) && queues.number() > MAX_QUEUES) {
      queues.invalid("must not be greater than " + MAX_QUEUES);
    }
    var hand = queuing.at("handSize");
    if (mustBePositive(hand)) {
      validateHand(hand, queues.number());
    }
  }

  private static boolean mustBePositive(Cursor field) {
    if (field.number() <= 0) {
      field.invalidNumber("must be positive");
    }
    return field.number() > 0;
  }

  private static void validateHand(Cursor hand, long queues) {
    if (hand.number() > queues) {
      hand.invalid("should not be greater than queues (%d)".formatted(queues));
    } else if (Math.ceil(log2(queues) * hand.number()) > MAX_HASH_BITS) {
      hand.invalid(
          "required entropy bits of deckSize %d and handSize %d should not be greater than %d"
              .formatted(queues, hand.number(), MAX_HASH_BITS));
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
