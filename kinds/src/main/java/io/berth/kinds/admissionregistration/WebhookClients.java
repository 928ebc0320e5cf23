package io.berth.kinds.admissionregistration;

import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.Names;
import java.net.URI;
import java.net.URISyntaxException;

/// How a webhook is reached: a URL, or a service of the cluster.
///
/// Mirrors: apiserver/pkg/util/webhook.ValidateWebhookURL, ValidateWebhookService
final class WebhookClients {

  static final int DEFAULT_PORT = 443;
  private static final String FORM = "; desired format: https://host[/path]";

  private WebhookClients() {}

  static void validate(Cursor client) {
    if (client.has("url") == client.has("service")) {
      client.missing("exactly one of url or service is required");
    } else {
      client.at("url").ifSet(WebhookClients::validateUrl);
      client.at("service").ifSet(WebhookClients::validateService);
    }
  }

  static void validateUrl(Cursor field) {
    URI url;
    try {
      url = new URI(field.text());
    } catch (URISyntaxException e) {
      field.missing("url must be a valid URL: " + e.getMessage() + FORM);
      return;
    }
    var scheme = url.getScheme() == null ? "" : url.getScheme();
    if (!scheme.equals("https")) {
      field.invalid(scheme, "'https' is the only allowed URL scheme" + FORM);
    }
    var authority = url.getRawAuthority();
    int at = authority == null ? -1 : authority.indexOf('@');
    if (authority == null || at == authority.length() - 1) {
      field.invalid("", "host must be specified" + FORM);
    }
    if (authority != null && at >= 0) {
      field.invalid(authority.substring(0, at), "user information is not permitted in the URL");
    }
    if (url.getRawFragment() != null && !url.getRawFragment().isEmpty()) {
      field.invalid(url.getFragment(), "fragments are not permitted in the URL");
    }
    if (url.getRawQuery() != null && !url.getRawQuery().isEmpty()) {
      field.invalid(url.getRawQuery(), "query parameters are not permitted in the URL");
    }
  }

  static void validateService(Cursor service) {
    service.at("name").required();
    service.at("namespace").required();
    var port = service.at("port").ifSet();
    var wrong = Names.portNumber(port.number());
    if (!wrong.isEmpty()) {
      port.invalid("port is not valid: " + String.join(", ", wrong));
    }
    service.at("path").ifFilled().ifSet(WebhookClients::validatePath);
  }

  private static void validatePath(Cursor path) {
    if (path.is("/")) {
      return;
    }
    if (path.is("//")) {
      path.invalid("segment[0] may not be empty");
      return;
    }
    if (!path.text().startsWith("/")) {
      path.invalid("must start with a '/'");
    }
    var rest = path.text().substring(1);
    var steps = (rest.endsWith("/") ? rest.substring(0, rest.length() - 1) : rest).split("/", -1);
    for (int i = 0; i < steps.length; i++) {
      if (steps[i].isEmpty()) {
        path.invalid("segment[%d] may not be empty".formatted(i));
        continue;
      }
      for (var failure : Names.dnsSubdomain(steps[i])) {
        path.invalid("segment[%d]: %s".formatted(i, failure));
      }
    }
  }
}
