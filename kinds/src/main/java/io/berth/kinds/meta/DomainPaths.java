package io.berth.kinds.meta;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import java.util.regex.Pattern;

/// Names below a domain: `acme.io/foo`.
public final class DomainPaths {

  private static final String FORMAT = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";
  private static final Pattern PATH = Pattern.compile(FORMAT);

  private DomainPaths() {}

  public static void validate(FieldPath path, String value, FieldErrors errors) {
    if (value.isEmpty()) {
      errors.required(path);
      return;
    }
    int slash = value.indexOf('/');
    if (slash <= 0 || slash == value.length() - 1) {
      errors.invalid(path, value, "must be a domain-prefixed path (such as \"acme.io/foo\")");
      return;
    }
    Checks.dnsSubdomain(path, value.substring(0, slash), errors);
    var rest = value.substring(slash + 1);
    if (!PATH.matcher(rest).matches()) {
      errors.invalid(path, rest, Names.regex("Invalid path", FORMAT));
    }
  }
}
