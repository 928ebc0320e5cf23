package io.berth.schema.cel;

import static io.berth.schema.cel.KubernetesFunctions.INT;
import static io.berth.schema.cel.KubernetesFunctions.STRING;
import static io.berth.schema.cel.KubernetesFunctions.problem;

import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.SimpleType;
import dev.cel.runtime.CelEvaluationException;
import io.berth.api.Quantity;
import io.berth.schema.cel.Functions.Parameter;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/// `quantity`, `isQuantity`, and computing with them.
final class QuantityFunctions {

  private static final OpaqueType TYPE = OpaqueType.create("kubernetes.Quantity");
  private static final Parameter<Quantity> QUANTITY = new Parameter<>(TYPE, Quantity.class);

  private QuantityFunctions() {}

  static void addTo(Functions functions) {
    functions.global("quantity", "string_to_quantity", TYPE, STRING, QuantityFunctions::parsed);
    functions.global(
        "isQuantity", "is_quantity_string", SimpleType.BOOL, STRING, text -> parse(text) != null);
    functions.member(
        "sign", "quantity_sign", SimpleType.INT, QUANTITY, q -> (long) q.amount().signum());
    functions.member(
        "isGreaterThan",
        "quantity_is_greater_than",
        SimpleType.BOOL,
        QUANTITY,
        QUANTITY,
        (a, b) -> a.compareTo(b) > 0);
    functions.member(
        "isLessThan",
        "quantity_is_less_than",
        SimpleType.BOOL,
        QUANTITY,
        QUANTITY,
        (a, b) -> a.compareTo(b) < 0);
    functions.member(
        "compareTo",
        "quantity_compare_to",
        SimpleType.INT,
        QUANTITY,
        QUANTITY,
        (a, b) -> (long) Integer.signum(a.compareTo(b)));
    functions.member(
        "asApproximateFloat",
        "quantity_get_float",
        SimpleType.DOUBLE,
        QUANTITY,
        q -> q.amount().doubleValue());
    functions.member(
        "asInteger",
        "quantity_get_int",
        SimpleType.INT,
        QUANTITY,
        q -> {
          if (!isInteger(q)) {
            throw problem("cannot convert value to integer");
          }
          return q.amount().longValue();
        });
    functions.member(
        "isInteger",
        "quantity_is_integer",
        SimpleType.BOOL,
        QUANTITY,
        QuantityFunctions::isInteger);
    functions.member("add", "quantity_add", TYPE, QUANTITY, QUANTITY, Quantity::plus);
    functions.member(
        "add", "quantity_add_int", TYPE, QUANTITY, INT, (q, n) -> q.plus(Quantity.of(n)));
    functions.member("sub", "quantity_sub", TYPE, QUANTITY, QUANTITY, (a, b) -> a.plus(negated(b)));
    functions.member(
        "sub", "quantity_sub_int", TYPE, QUANTITY, INT, (q, n) -> q.plus(Quantity.of(-n)));
  }

  private static Quantity negated(Quantity quantity) {
    return new Quantity(quantity.amount().negate(), quantity.format());
  }

  private static boolean isInteger(Quantity quantity) {
    var amount = quantity.amount();
    return amount.stripTrailingZeros().scale() <= 0
        && amount.abs().compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) <= 0;
  }

  private static Quantity parsed(String text) throws CelEvaluationException {
    var quantity = parse(text);
    if (quantity == null) {
      throw problem(
          "quantities must match the regular expression"
              + " '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
    }
    return quantity;
  }

  private static @Nullable Quantity parse(String text) {
    try {
      return Quantity.parse(text);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
