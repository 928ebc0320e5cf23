package io.berth.kinds.certificates;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.kinds.meta.Names;
import java.util.List;

/// Who signs: `example.com/signer-name`.
final class SignerNames {

  private static final int MAX_DOMAIN = 253;
  private static final int MAX_NAME = 571;

  private SignerNames() {}

  static void validate(FieldPath path, String name, FieldErrors errors) {
    if (name.isEmpty()) {
      errors.required(path);
      return;
    }
    var parts = name.split("/", -1);
    if (parts.length != 2) {
      errors.invalid(
          path,
          name,
          "must be a fully qualified domain and path of the form 'example.com/signer-name'");
      return;
    }
    validateDomain(path, parts[0], errors);
    for (var label : parts[1].split("\\.", -1)) {
      if (complain(path, parts[1], label, Names.dnsSubdomain(label), errors)) {
        break;
      }
    }
    if (Names.bytes(name) > MAX_NAME) {
      errors.tooLong(path, MAX_NAME);
    }
  }

  private static void validateDomain(FieldPath path, String domain, FieldErrors errors) {
    if (Names.bytes(domain) > MAX_DOMAIN) {
      errors.tooLong(path, MAX_DOMAIN);
    }
    var labels = domain.split("\\.", -1);
    for (var label : labels) {
      if (complain(path, domain, label, Names.dnsLabel(label), errors)) {
        break;
      }
    }
    if (labels.length < 2) {
      errors.invalid(
          path, domain, "should be a domain with at least two segments separated by dots");
    }
  }

  private static boolean complain(
      FieldPath path, String value, String label, List<String> complaints, FieldErrors errors) {
    for (var complaint : complaints) {
      errors.invalid(path, value, "validating label \"%s\": %s".formatted(label, complaint));
    }
    return !complaints.isEmpty();
  }
}
