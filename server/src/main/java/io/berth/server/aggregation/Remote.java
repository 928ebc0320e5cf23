package io.berth.server.aggregation;

import io.berth.api.Tree;
import java.util.Base64;

/// Another API server, as an APIService registers it.
public record Remote(Tree object) {

  static final String AVAILABLE = "Available";

  private static final int DEFAULT_PORT = 443;

  String name() {
    return object.textOrEmpty("metadata", "name");
  }

  Tree spec() {
    return object.treeOrEmpty("spec");
  }

  String group() {
    return spec().textOrEmpty("group");
  }

  String version() {
    return spec().textOrEmpty("version");
  }

  String groupVersion() {
    return group() + "/" + version();
  }

  /// Where it says what it serves; every API server has that.
  String path() {
    return "/apis/" + groupVersion();
  }

  String serviceNamespace() {
    return spec().textOrEmpty("service", "namespace");
  }

  String serviceName() {
    return spec().textOrEmpty("service", "name");
  }

  long port() {
    return spec().number(DEFAULT_PORT, "service", "port");
  }

  /// Whom its certificate must be for, wherever it is reached.
  String serverName() {
    return "%s.%s.svc".formatted(serviceName(), serviceNamespace());
  }

  byte[] authority() {
    return Base64.getDecoder().decode(spec().textOrEmpty("caBundle"));
  }

  boolean isUnchecked() {
    return spec().flag("insecureSkipTLSVerify");
  }

  int groupPriority() {
    return (int) spec().number(0, "groupPriorityMinimum");
  }

  int versionPriority() {
    return (int) spec().number(0, "versionPriority");
  }

  /// Whether the last check found it answering.
  boolean isAvailable() {
    return object.trees("status", "conditions").stream()
        .anyMatch(condition ->
            condition.textOrEmpty("type").equals(AVAILABLE)
                && condition.textOrEmpty("status").equals("True"));
  }
}
