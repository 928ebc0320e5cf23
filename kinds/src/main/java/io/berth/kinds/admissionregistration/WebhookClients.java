package io.berth.kinds.admissionregistration;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Tree;
import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.Names;
import java.net.URI;
import java.net.URISyntaxException;

/// How a webhook is reached: a URL, or a service of the cluster.
final class WebhookClients {

  static final int DEFAULT_PORT = 443;
  private static final String FORM = "; desired format: https://host[/path]";

  private WebhookClients() {}

  static void validate(Tree client, FieldPath path, FieldErrors errors) {
    var url = client.text("url");
    var service = client.tree("service");
    if ((url == null) == (service == null)) {
      errors.required(path, "exactly one of url or service is required");
    } else if (url != null) {
      validateUrl(url, path.child("url"), errors);
    } else if (service != null) {
      validateService(service, path.child("service"), errors);
    }
  }

  static void validateUrl(String text, FieldPath path, FieldErrors errors) {
    URI url;
    try {
      url = new URI(text);
    } catch (URISyntaxException e) {
      errors.required(path, "url must be a valid URL: " + e.getMessage() + FORM);
      return;
    }
    var scheme = url.getScheme() == null ? "" : url.getScheme();
    if (!scheme.equals("https")) {
      errors.invalid(path, scheme, "'https' is the only allowed URL scheme" + FORM);
    }
    var authority = url.getRawAuthority();
    int at = authority == null ? -1 : authority.indexOf('@');
    if (authority == null || at == authority.length() - 1) {
      errors.invalid(path, "", "host must be specified" + FORM);
    }
    if (authority != null && at >= 0) {
      errors.invalid(
          path, authority.substring(0, at), "user information is not permitted in the URL");
    }
    if (url.getRawFragment() != null && !url.getRawFragment().isEmpty()) {
      errors.invalid(path, url.getFragment(), "fragments are not permitted in the URL");
    }
    if (url.getRawQuery() != null && !url.getRawQuery().isEmpty()) {
      errors.invalid(path, url.getRawQuery(), "query parameters are not permitted in the URL");
    }
  }

  static void validateService(Tree service, FieldPath path, FieldErrors errors) {
    Checks.required(path.child("name"), service.textOrEmpty("name"), errors);
    Checks.required(path.child("namespace"), service.textOrEmpty("namespace"), errors);
    long port = service.number(DEFAULT_PORT, "port");
    var wrong = Names.portNumber(port);
    if (!wrong.isEmpty()) {
      errors.invalid(path.child("port"), port, "port is not valid: " + String.join(", ", wrong));
    }
    validatePath(service.textOrEmpty("path"), path.child("path"), errors);
  }

  private static void validatePath(String given, FieldPath path, FieldErrors errors) {
    if (given.isEmpty() || given.equals("/")) {
      return;
    }
    if (given.equals("//")) {
      errors.invalid(path, given, "segment[0] may not be empty");
      return;
    }
    if (!given.startsWith("/")) {
      errors.invalid(path, given, "must start with a '/'");
    }
    var rest = given.substring(1);
    var steps = (rest.endsWith("/") ? rest.substring(0, rest.length() - 1) : rest).split("/", -1);
    for (int i = 0; i < steps.length; i++) {
      if (steps[i].isEmpty()) {
        errors.invalid(path, given, "segment[%d] may not be empty".formatted(i));
        continue;
      }
      for (var failure : Names.dnsSubdomain(steps[i])) {
        errors.invalid(path, given, "segment[%d]: %s".formatted(i, failure));
      }
    }
  }
}
