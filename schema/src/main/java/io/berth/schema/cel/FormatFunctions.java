package io.berth.schema.cel;

import static io.berth.schema.cel.KubernetesFunctions.STRING;
import static io.berth.schema.cel.KubernetesFunctions.problem;

import dev.cel.common.types.ListType;
import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.SimpleType;
import dev.cel.runtime.CelEvaluationException;
import io.berth.api.GoNumbers;
import io.berth.schema.cel.Functions.Parameter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// `format.dns1123Label().validate(text)` and its like, and `'%s'.format([…])`.
final class FormatFunctions {

  private static final OpaqueType TYPE = OpaqueType.create("kubernetes.NamedFormat");
  private static final Parameter<NamedFormat> FORMAT = new Parameter<>(TYPE, NamedFormat.class);
  private static final Pattern CLAUSE = Pattern.compile("%(?:\\.([0-9]{0,4}))?(.|$)");
  private static final Parameter<List<Object>> ARGUMENTS = arguments();

  private FormatFunctions() {}

  @SuppressWarnings("unchecked") // Arguments are of any type.
  private static Parameter<List<Object>> arguments() {
    return new Parameter<>(
        ListType.create(SimpleType.DYN), (Class<List<Object>>) (Class<?>) List.class);
  }

  static void addTo(Functions functions) {
    for (var name : NamedFormat.ALL.keySet()) {
      var full = "format." + name;
      functions.global(full, full, TYPE, _ -> Objects.requireNonNull(NamedFormat.ALL.get(name)));
    }
    functions.global(
        "format.named",
        "format-named",
        OptionalType.create(TYPE),
        STRING,
        name -> Optional.ofNullable(NamedFormat.ALL.get(name)));
    functions.member(
        "validate",
        "format-validate",
        OptionalType.create(ListType.create(SimpleType.STRING)),
        FORMAT,
        STRING,
        NamedFormat::validate);
    functions.member(
        "format", "string_format", SimpleType.STRING, STRING, ARGUMENTS, FormatFunctions::format);
  }

  /// As `fmt.Sprintf`, for `%s`, `%d`, `%f`, `%e`, `%b`, `%x`, `%X`, `%o` and `%%`.
  private static String format(String pattern, List<Object> arguments)
      throws CelEvaluationException {
    var text = new StringBuilder();
    int used = 0;
    int at = 0;
    for (var clauses = CLAUSE.matcher(pattern); clauses.find(); at = clauses.end()) {
      text.append(pattern, at, clauses.start());
      var verb = clauses.group(2);
      if (verb.isEmpty()) {
        throw problem("unexpected end of string");
      }
      if (verb.equals("%")) {
        text.append('%');
        continue;
      }
      if (used >= arguments.size()) {
        throw problem("index " + used + " out of range");
      }
      var precision = clauses.group(1);
      text.append(
          formatted(
              verb.charAt(0),
              precision == null ? -1 : Integer.parseInt("0" + precision),
              arguments.get(used)));
      if (text.length() > Meter.MOST_MADE) {
        throw new Budget.ExhaustedError();
      }
      used++;
    }
    return text.append(pattern.substring(at)).toString();
  }

  private static String formatted(char verb, int precision, Object value)
      throws CelEvaluationException {
    return switch (verb) {
      case 's' -> shown(value);
      case 'd' -> whole(value, 10);
      case 'b' -> value instanceof Boolean flag ? (flag ? "1" : "0") : whole(value, 2);
      case 'o' -> whole(value, 8);
      case 'x' -> hexadecimal(value);
      case 'X' -> hexadecimal(value).toUpperCase(Locale.ROOT);
      case 'f' -> real(value, "%." + (precision < 0 ? 6 : precision) + "f");
      case 'e' -> real(value, "%." + (precision < 0 ? 6 : precision) + "e");
      default ->
          throw problem(
              "could not parse formatting clause: unrecognized formatting clause \"" + verb + "\"");
    };
  }

  private static String whole(Object value, int radix) throws CelEvaluationException {
    if (value instanceof Long number) {
      return Long.toString(number, radix);
    }
    if (value instanceof Double number && number == Math.rint(number)) {
      return Long.toString(number.longValue(), radix);
    }
    throw problem("error during formatting: only integers can be formatted as a number here");
  }

  private static String hexadecimal(Object value) throws CelEvaluationException {
    if (!(value instanceof String text)) {
      return whole(value, 16);
    }
    var digits = new StringBuilder();
    for (byte each : text.getBytes(java.nio.charset.StandardCharsets.UTF_8)) {
      digits.append("%02x".formatted(each & 255));
    }
    return digits.toString();
  }

  private static String real(Object value, String pattern) throws CelEvaluationException {
    if (value instanceof Number number) {
      return pattern.formatted(number.doubleValue());
    }
    throw problem("error during formatting: only numbers can be formatted as fixed-point");
  }

  private static String shown(Object value) {
    return switch (value) {
      case Double number -> GoNumbers.text(number);
      case Duration duration -> GoNumbers.text(duration.toNanos() / 1e9) + "s";
      case List<?> list -> {
        var parts = new ArrayList<String>();
        list.forEach(each -> parts.add(shown(each)));
        yield "[" + String.join(", ", parts) + "]";
      }
      case Map<?, ?> map -> {
        var parts = new TreeMap<String, String>();
        map.forEach((key, each) -> parts.put(shown(key), shown(each)));
        var shown = new ArrayList<String>();
        parts.forEach((key, each) -> shown.add(key + ": " + each));
        yield "{" + String.join(", ", shown) + "}";
      }
      default -> String.valueOf(value);
    };
  }
}
