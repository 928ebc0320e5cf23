package io.berth.kinds.meta;

import java.util.regex.Pattern;

/// Names below a domain: `acme.io/foo`.
///
/// Mirrors: apimachinery/pkg/util/validation.IsDomainPrefixedPath
public final class DomainPaths {

  private static final String FORMAT = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";
  private static final Pattern PATH = Pattern.compile(FORMAT);

  private DomainPaths() {}

  public static void validate(Cursor field) {
    var value = field.required().text();
    if (value.isEmpty()) {
      return;
    }
    int slash = value.indexOf('/');
    if (slash <= 0 || slash == value.length() - 1) {
      field.invalid("must be a domain-prefixed path (such as \"acme.io/foo\")");
      return;
    }
    field.with(value.substring(0, slash)).follows(Names::dnsSubdomain);
    var rest = value.substring(slash + 1);
    if (!PATH.matcher(rest).matches()) {
      field.invalid(rest, Names.regex("Invalid path", FORMAT));
    }
  }
}
