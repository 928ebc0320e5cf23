package io.berth.workloads.types;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/// Reads the type of a field as `requests.types` writes it.
final class TypeReader {

  // What the API takes as a quantity; finer checks follow where a quantity is used.
  static final Pattern QUANTITY = Pattern.compile("^([+]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$");
  private static final Pattern UUID =
      Pattern.compile("^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$");

  private TypeReader() {}

  static Type read(String text) {
    if (text.startsWith("[")) {
      int end = text.lastIndexOf(']');
      var bounds = bounds(text.substring(end + 1), "items");
      return new Type.ListOf(read(text.substring(1, end)), (int) bounds[0], most(bounds[1]));
    }
    if (text.startsWith("{")) {
      return new Type.MapOf(read(text.substring(1, text.length() - 1)));
    }
    var words = List.of(text.split(" ", 2));
    var limits = words.size() > 1 ? words.get(1) : "";
    return switch (words.getFirst()) {
      case "any" -> new Type.Any();
      case "boolean" -> new Type.Flag();
      case "integer" -> number(true, limits);
      case "number" -> number(false, limits);
      case "string" -> text("string", limits);
      case "time" -> new Type.Text("time", 0, Integer.MAX_VALUE, null);
      case "uuid" -> new Type.Text("uuid", 0, Integer.MAX_VALUE, UUID);
      case "quantity" -> new Type.Text("quantity", 0, 64, QUANTITY);
      case String name when name.contains("|") || !Character.isUpperCase(name.charAt(0)) ->
          new Type.OneOf(Arrays.asList(name.split("\\|", -1)));
      case String name -> new Type.Ref(name);
    };
  }

  private static Type number(boolean whole, String limits) {
    var bounds = bounds(limits, "range");
    return new Type.Numeric(
        whole, limits.contains("range") ? bounds[0] : Double.NEGATIVE_INFINITY, bounds[1]);
  }

  private static Type text(String form, String limits) {
    int matching = limits.indexOf("matching ");
    var pattern =
        matching < 0 ? null : Pattern.compile(limits.substring(matching + "matching ".length()));
    var bounds = bounds(matching < 0 ? limits : limits.substring(0, matching), "length");
    return new Type.Text(form, (int) bounds[0], most(bounds[1]), pattern);
  }

  /// The two sides of `WORD a..b`; without the word, zero and infinity.
  private static double[] bounds(String text, String word) {
    int at = text.indexOf(word + " ");
    if (at < 0) {
      return new double[] {0, Double.POSITIVE_INFINITY};
    }
    var range = text.substring(at + word.length() + 1).strip().split(" ", 2)[0];
    int dots = range.indexOf("..");
    var low = range.substring(0, dots);
    var high = range.substring(dots + 2);
    return new double[] {
      low.isEmpty() ? 0 : Double.parseDouble(low),
      high.isEmpty() ? Double.POSITIVE_INFINITY : Double.parseDouble(high)
    };
  }

  private static int most(double bound) {
    return bound == Double.POSITIVE_INFINITY ? Integer.MAX_VALUE : (int) bound;
  }
}
