package io.berth.kinds.certificates;

import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.Names;
import java.util.List;
import java.util.function.Function;

/// Who signs: `example.com/signer-name`.
///
/// Mirrors: core/validation.ValidateSignerName
final class SignerNames {

  private static final int MAX_DOMAIN = 253;
  private static final int MAX_NAME = 571;

  private SignerNames() {}

  static void validate(Cursor signer) {
    if (!signer.required().isSet()) {
      return;
    }
    var parts = signer.text().split("/", -1);
    if (parts.length != 2) {
      signer.invalid(
          "must be a fully qualified domain and path of the form 'example.com/signer-name'");
      return;
    }
    validateDomain(signer, parts[0]);
    firstWrong(signer, parts[1], Names::dnsSubdomain);
    signer.atMostBytes(MAX_NAME);
  }

  private static void validateDomain(Cursor signer, String domain) {
    signer.with(domain).atMostBytes(MAX_DOMAIN);
    firstWrong(signer, domain, Names::dnsLabel);
    if (!domain.contains(".")) {
      signer.invalid(domain, "should be a domain with at least two segments separated by dots");
    }
  }

  private static void firstWrong(Cursor signer, String part, Function<String, List<String>> rule) {
    for (var label : part.split("\\.", -1)) {
      var complaints = rule.apply(label);
      if (!complaints.isEmpty()) {
        complaints.forEach(complaint ->
            signer.invalid(part, "validating label \"%s\": %s".formatted(label, complaint)));
        return;
      }
    }
  }
}
