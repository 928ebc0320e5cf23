package io.berth.schema.crd;

import com.google.re2j.Pattern;
import io.berth.schema.IpBytes;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/// The formats of texts that schemas may name; others are ignored, as in Kubernetes.
public final class Formats {

  private static final Pattern TIME =
      Pattern.compile("^([0-9]{2}):([0-9]{2}):([0-9]{2})(.[0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))$");
  private static final Pattern GO_DURATION =
      Pattern.compile("^[-+]?(0|(([0-9]+(\\.[0-9]*)?|\\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+)$");
  private static final Pattern AMOUNT = Pattern.compile("([0-9]+)\\s*([A-Za-zµ]+)");
  private static final List<List<String>> UNITS =
      List.of(
          List.of("ns", "nano"),
          List.of("us", "µs", "micro"),
          List.of("ms", "milli"),
          List.of("s", "sec"),
          List.of("m", "min"),
          List.of("h", "hr", "hour"),
          List.of("d", "day"),
          List.of("w", "wk", "week"));
  private static final Pattern HOSTNAME =
      Pattern.compile(
          "^([a-zA-Z0-9\\p{S}\\p{L}]((-?[a-zA-Z0-9\\p{S}\\p{L}]{0,62})?)|([a-zA-Z0-9\\p{S}\\p{L}](([a-zA-Z0-9-\\p{S}\\p{L}]{0,61}[a-zA-Z0-9\\p{S}\\p{L}])?)(\\.)){1,}([a-zA-Z\\p{L}]){2,63})$");
  private static final String SHORT_NAME = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";

  private static final Map<String, Predicate<String>> ALL =
      Map.ofEntries(
          Map.entry("bsonobjectid", matching("^[0-9a-fA-F]{24}$")),
          Map.entry("uri", Formats::isUri),
          Map.entry("email", matching("^[^@\\s<>,;:]+@[^@\\s<>,;:]+$")),
          Map.entry("hostname", Formats::isHostname),
          Map.entry("ipv4", text -> text.contains(".") && IpBytes.parse(text, true) != null),
          Map.entry("ipv6", text -> text.contains(":") && IpBytes.parse(text, true) != null),
          Map.entry("cidr", Formats::isCidr),
          Map.entry("mac", Formats::isMac),
          Map.entry("uuid", uuid("[0-9a-f]{4}", "[0-9a-f]{4}")),
          Map.entry("uuid3", uuid("3[0-9a-f]{3}", "[0-9a-f]{4}")),
          Map.entry("uuid4", uuid("4[0-9a-f]{3}", "[89ab][0-9a-f]{3}")),
          Map.entry("uuid5", uuid("5[0-9a-f]{3}", "[89ab][0-9a-f]{3}")),
          Map.entry("isbn", text -> Checksums.isIsbn10(text) || Checksums.isIsbn13(text)),
          Map.entry("isbn10", Checksums::isIsbn10),
          Map.entry("isbn13", Checksums::isIsbn13),
          Map.entry("creditcard", Checksums::isCreditCard),
          Map.entry("ssn", matching("^[0-9]{3}[- ]?[0-9]{2}[- ]?[0-9]{4}$")),
          Map.entry("hexcolor", matching("^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$")),
          Map.entry("rgbcolor", Formats::isRgbColor),
          Map.entry(
              "byte",
              matching(
                  "^(?:[A-Za-z0-9+\\/]{4})*(?:[A-Za-z0-9+\\/]{2}==|[A-Za-z0-9+\\/]{3}=|[A-Za-z0-9+\\/]{4})$")),
          Map.entry("password", _ -> true),
          Map.entry("date", Formats::isDate),
          Map.entry("duration", Formats::isDuration),
          Map.entry("datetime", Formats::isDateTime),
          Map.entry("k8sshortname", name(63, SHORT_NAME)),
          Map.entry("k8slongname", name(253, SHORT_NAME + "(\\." + SHORT_NAME + ")*")));

  private Formats() {}

  /// The format if it means something for this type, else `""`.
  static String supported(List<String> types, String format) {
    var type = types.size() == 1 ? types.getFirst() : "";
    boolean supported =
        switch (type) {
          case "", "string" -> isKnown(format);
          case "integer" -> Set.of("int32", "int64").contains(format);
          case "number" -> Set.of("float", "double").contains(format);
          default -> false;
        };
    return supported ? format : "";
  }

  /// Whether texts can be of this format.
  public static boolean isKnown(String format) {
    return ALL.containsKey(normal(format));
  }

  /// Whether a text is of this known format.
  public static boolean matches(String format, String text) {
    var check = ALL.get(normal(format));
    return check == null || check.test(text);
  }

  private static String normal(String format) {
    return format.replace("-", "");
  }

  private static Predicate<String> matching(String pattern) {
    var compiled = Pattern.compile(pattern);
    return text -> compiled.matcher(text).find();
  }

  private static Predicate<String> uuid(String version, String variant) {
    return matching(
        "(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?" + version + "-?" + variant + "-?[0-9a-f]{12}$");
  }

  private static Predicate<String> name(int length, String pattern) {
    var matching = matching("^" + pattern + "$");
    return text -> text.length() <= length && matching.test(text);
  }

  private static boolean isUri(String text) {
    try {
      var uri = new URI(text);
      return uri.isAbsolute() || text.startsWith("/");
    } catch (URISyntaxException e) {
      return false;
    }
  }

  private static boolean isHostname(String text) {
    if (!HOSTNAME.matcher(text).find() || text.getBytes(StandardCharsets.UTF_8).length > 255) {
      return false;
    }
    for (var part : text.split("\\.", -1)) {
      if (part.getBytes(StandardCharsets.UTF_8).length > 63) {
        return false;
      }
    }
    return true;
  }

  private static boolean isCidr(String text) {
    int slash = text.indexOf('/');
    var address = slash < 0 ? null : IpBytes.parse(text.substring(0, slash), true);
    int prefix = slash < 0 ? -1 : IpBytes.decimal(text.substring(slash + 1));
    return address != null && prefix >= 0 && prefix <= address.length * 8;
  }

  private static boolean isMac(String text) {
    return matching("^[0-9a-fA-F]{2}([:-][0-9a-fA-F]{2}){5}$").test(text)
        || matching("^[0-9a-fA-F]{2}([:-][0-9a-fA-F]{2}){7}$").test(text)
        || matching("^[0-9a-fA-F]{2}([:-][0-9a-fA-F]{2}){19}$").test(text)
        || matching("^[0-9a-fA-F]{4}(\\.[0-9a-fA-F]{4}){2,9}$").test(text);
  }

  private static boolean isRgbColor(String text) {
    var channel = "(0|[1-9][0-9]?|1[0-9]{2}|2[0-4][0-9]|25[0-5])";
    var comma = "\\s*,\\s*";
    return matching("^rgb\\(\\s*" + channel + comma + channel + comma + channel + "\\s*\\)$")
        .test(text);
  }

  static boolean isDate(String text) {
    try {
      return text.length() == 10 && LocalDate.parse(text) != null;
    } catch (DateTimeParseException e) {
      return false;
    }
  }

  private static boolean isDateTime(String text) {
    var parts = text.toLowerCase(Locale.ROOT).split("t", -1);
    if (text.length() < 4 || parts.length < 2 || !isDate(parts[0])) {
      return false;
    }
    var time = TIME.matcher(parts[1]);
    return time.find()
        && time.group(1).compareTo("23") <= 0
        && time.group(2).compareTo("59") <= 0
        && time.group(3).compareTo("59") <= 0;
  }

  private static boolean isDuration(String text) {
    if (GO_DURATION.matcher(text).find()) {
      return true;
    }
    var amounts = AMOUNT.matcher(text);
    while (amounts.find()) {
      var unit = amounts.group(2).toLowerCase(Locale.ROOT);
      for (var variants : UNITS) {
        if (variants.contains(unit) || unit.startsWith(variants.getLast())) {
          return true;
        }
      }
    }
    return false;
  }
}
