package io.berth.kinds.resource;

import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.Names;
import java.util.Locale;
import java.util.regex.Pattern;

/// What drivers, pools, attributes and capacities may be called.
///
/// Mirrors: resource/validation.validateDriverName, validateQualifiedName
final class DeviceNames {

  private static final int MAX_DOMAIN = 63;
  private static final int MAX_ID = 32;
  private static final int MAX_POOL = 253;
  private static final int MAX_QUALIFIED = MAX_DOMAIN + 1 + MAX_ID;
  private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  private DeviceNames() {}

  static void driver(Cursor field) {
    field
        .required()
        .atMostBytes(MAX_DOMAIN)
        .follows(name -> Names.dnsSubdomain(name.toLowerCase(Locale.ROOT)));
  }

  /// Subdomains with slashes between them.
  static void pool(Cursor field) {
    var pool = field.required().atMostBytes(MAX_POOL);
    for (var part : pool.text().split("/", -1)) {
      pool.with(part).follows(Names::dnsSubdomain);
    }
  }

  /// An identifier, perhaps in a domain. As in Kubernetes, one with two slashes passes.
  static void qualified(Cursor field) {
    var parts = field.text().split("/", -1);
    if (parts.length == 1) {
      identifier(field);
    } else if (parts.length == 2) {
      if (parts[0].isEmpty()) {
        field.invalid("", "the domain must not be empty");
      } else {
        driver(field.with(parts[0]));
      }
      if (parts[1].isEmpty()) {
        field.invalid("", "the name must not be empty");
      } else {
        identifier(field.with(parts[1]));
      }
    }
  }

  /// A name with its domain: `gpu.example.com/model`.
  static void fullyQualified(Cursor field) {
    var name = field.text();
    int slash = name.indexOf('/');
    if (slash < 0) {
      identifier(field);
      field.invalid("a fully qualified name must be a domain and a name separated by a slash");
      return;
    }
    var domain = field.with(name.substring(0, slash));
    if (domain.isEmpty()) {
      domain.invalid("the domain must not be empty");
    } else {
      domain.atMostBytes(MAX_DOMAIN).follows(Names::dnsSubdomain);
    }
    identifier(field.with(name.substring(slash + 1)));
  }

  private static void identifier(Cursor field) {
    field.atMostBytes(MAX_ID);
    if (!IDENTIFIER.matcher(field.text()).matches()) {
      field.invalid(
          Names.regex(
              "a valid C identifier must start with alphabetic character or '_', followed by a"
                  + " string of alphanumeric characters or '_'",
              IDENTIFIER.pattern(),
              "my_name",
              "MY_NAME",
              "MyName"));
    }
  }

  /// A map's entry; a key that is too long to be good is cut in its middle.
  static Cursor entry(Cursor map, String key) {
    var entry = map.key(key);
    if (key.length() <= MAX_QUALIFIED) {
      return entry;
    }
    int kept = MAX_QUALIFIED - "...".length();
    var shown = key.substring(0, (kept + 1) / 2) + "..." + key.substring(key.length() - kept / 2);
    return map.key(shown).with(entry.value());
  }
}
