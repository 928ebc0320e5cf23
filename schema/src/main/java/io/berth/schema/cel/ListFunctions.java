package io.berth.schema.cel;

import static io.berth.schema.cel.KubernetesFunctions.problem;

import dev.cel.common.types.ListType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.TypeParamType;
import dev.cel.runtime.CelEvaluationException;
import io.berth.schema.cel.Functions.Parameter;
import java.time.Duration;
import java.util.List;

/// `isSorted`, `sum`, `min`, `max`, `indexOf` and `lastIndexOf` of lists.
final class ListFunctions {

  private static final TypeParamType ANY = TypeParamType.create("A");
  private static final Parameter<List<Object>> LIST = list();
  private static final Parameter<Object> ELEMENT = new Parameter<>(ANY, Object.class);

  private ListFunctions() {}

  @SuppressWarnings("unchecked") // A list of whatever the expression makes of it.
  private static Parameter<List<Object>> list() {
    return new Parameter<>(ListType.create(ANY), (Class<List<Object>>) (Class<?>) List.class);
  }

  static void addTo(Functions functions) {
    functions.member("isSorted", "list_is_sorted", SimpleType.BOOL, LIST, ListFunctions::isSorted);
    functions.member("sum", "list_sum", ANY, LIST, ListFunctions::sum);
    functions.member("min", "list_min", ANY, LIST, list -> extreme(list, "min", -1));
    functions.member("max", "list_max", ANY, LIST, list -> extreme(list, "max", 1));
    functions.member(
        "indexOf", "list_index_of", SimpleType.INT, LIST, ELEMENT, (a, b) -> (long) a.indexOf(b));
    functions.member(
        "lastIndexOf",
        "list_last_index_of",
        SimpleType.INT,
        LIST,
        ELEMENT,
        (a, b) -> (long) a.lastIndexOf(b));
  }

  private static boolean isSorted(List<Object> list) throws CelEvaluationException {
    for (int i = 1; i < list.size(); i++) {
      if (compare(list.get(i - 1), list.get(i)) > 0) {
        return false;
      }
    }
    return true;
  }

  private static Object extreme(List<Object> list, String name, int sign)
      throws CelEvaluationException {
    if (list.isEmpty()) {
      throw problem(name + " called on empty list");
    }
    var best = list.getFirst();
    for (var each : list) {
      best = compare(each, best) * sign > 0 ? each : best;
    }
    return best;
  }

  private static Object sum(List<Object> list) throws CelEvaluationException {
    if (list.isEmpty()) {
      return 0L;
    }
    try {
      return switch (list.getFirst()) {
        case Long _ -> list.stream().mapToLong(each -> (Long) each).reduce(0, Math::addExact);
        case Double _ -> list.stream().mapToDouble(each -> (Double) each).sum();
        case Duration _ ->
            list.stream().map(each -> (Duration) each).reduce(Duration.ZERO, Duration::plus);
        default -> throw problem("no such overload");
      };
    } catch (ClassCastException e) {
      throw problem("no such overload");
    } catch (ArithmeticException e) {
      throw problem("integer overflow");
    }
  }

  @SuppressWarnings("unchecked") // Values of one type are comparable, or refused.
  private static int compare(Object a, Object b) throws CelEvaluationException {
    if (a instanceof Number one
        && b instanceof Number other
        && !a.getClass().equals(b.getClass())) {
      return Double.compare(one.doubleValue(), other.doubleValue());
    }
    if (a instanceof Comparable<?> && a.getClass().equals(b.getClass())) {
      return ((Comparable<Object>) a).compareTo(b);
    }
    throw problem("no such overload");
  }
}
