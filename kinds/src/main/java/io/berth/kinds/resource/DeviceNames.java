package io.berth.kinds.resource;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.Names;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// What drivers, pools, attributes and capacities may be called.
final class DeviceNames {

  private static final int MAX_DOMAIN = 63;
  private static final int MAX_ID = 32;
  private static final int MAX_POOL = 253;
  private static final int MAX_QUALIFIED = MAX_DOMAIN + 1 + MAX_ID;
  private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  private DeviceNames() {}

  static void driver(FieldPath path, String driver, FieldErrors errors) {
    if (Checks.required(path, driver, errors)) {
      if (Names.bytes(driver) > MAX_DOMAIN) {
        errors.tooLong(path, MAX_DOMAIN);
      }
      Checks.complaints(path, driver, Names.dnsSubdomain(driver.toLowerCase(Locale.ROOT)), errors);
    }
  }

  /// Subdomains with slashes between them.
  static void pool(FieldPath path, String pool, FieldErrors errors) {
    if (Checks.required(path, pool, errors)) {
      if (Names.bytes(pool) > MAX_POOL) {
        errors.tooLong(path, MAX_POOL);
      }
      for (var part : pool.split("/", -1)) {
        Checks.dnsSubdomain(path, part, errors);
      }
    }
  }

  /// An identifier, perhaps in a domain. As in Kubernetes, one with two slashes passes.
  static void qualified(FieldPath path, String name, FieldErrors errors) {
    var parts = name.split("/", -1);
    if (parts.length == 1) {
      identifier(path, name, errors);
    } else if (parts.length == 2) {
      if (parts[0].isEmpty()) {
        errors.invalid(path, "", "the domain must not be empty");
      } else {
        driver(path, parts[0], errors);
      }
      if (parts[1].isEmpty()) {
        errors.invalid(path, "", "the name must not be empty");
      } else {
        identifier(path, parts[1], errors);
      }
    }
  }

  /// A name with its domain: `gpu.example.com/model`.
  static void fullyQualified(FieldPath path, @Nullable String name, FieldErrors errors) {
    if (name == null) {
      return;
    }
    int slash = name.indexOf('/');
    if (slash < 0) {
      identifier(path, name, errors);
      errors.invalid(
          path, name, "a fully qualified name must be a domain and a name separated by a slash");
      return;
    }
    var domain = name.substring(0, slash);
    if (domain.isEmpty()) {
      errors.invalid(path, domain, "the domain must not be empty");
    } else {
      if (Names.bytes(domain) > MAX_DOMAIN) {
        errors.tooLong(path, MAX_DOMAIN);
      }
      Checks.dnsSubdomain(path, domain, errors);
    }
    identifier(path, name.substring(slash + 1), errors);
  }

  private static void identifier(FieldPath path, String id, FieldErrors errors) {
    if (Names.bytes(id) > MAX_ID) {
      errors.tooLong(path, MAX_ID);
    }
    if (!IDENTIFIER.matcher(id).matches()) {
      errors.invalid(
          path,
          id,
          Names.regex(
              "a valid C identifier must start with alphabetic character or '_', followed by a"
                  + " string of alphanumeric characters or '_'",
              IDENTIFIER.pattern(),
              "my_name",
              "MY_NAME",
              "MyName"));
    }
  }

  /// The path of a map's entry; a key that is too long to be good is cut in its middle.
  static FieldPath entry(FieldPath path, String key) {
    if (key.length() <= MAX_QUALIFIED) {
      return path.key(key);
    }
    int kept = MAX_QUALIFIED - "...".length();
    return path.key(
        key.substring(0, (kept + 1) / 2) + "..." + key.substring(key.length() - kept / 2));
  }
}
