package io.berth.kinds.core;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Tree;
import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.Names;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The rules of probes and lifecycle hooks.
final class HandlerValidation {

  private static final List<String> PROBE_HANDLERS =
      List.of("exec", "httpGet", "tcpSocket", "grpc");
  private static final List<String> HOOK_HANDLERS =
      List.of("exec", "httpGet", "tcpSocket", "sleep");

  private final @Nullable Object gracePeriod;
  private final FieldErrors errors;

  HandlerValidation(@Nullable Object gracePeriod, FieldErrors errors) {
    this.gracePeriod = gracePeriod;
    this.errors = errors;
  }

  void all(Tree container, FieldPath path) {
    for (var hook : List.of("postStart", "preStop")) {
      if (container.at("lifecycle", hook) instanceof Tree handler) {
        handler(handler, HOOK_HANDLERS, path.child("lifecycle", hook));
      }
    }
    for (var kind : List.of("livenessProbe", "readinessProbe", "startupProbe")) {
      if (container.get(kind) instanceof Tree probe) {
        probe(probe, kind, path.child(kind));
      }
    }
  }

  private void probe(Tree probe, String kind, FieldPath path) {
    handler(probe, PROBE_HANDLERS, path);
    for (var field :
        List.of(
            "initialDelaySeconds",
            "timeoutSeconds",
            "periodSeconds",
            "successThreshold",
            "failureThreshold")) {
      Checks.nonNegative(path.child(field), probe.number(0, field), errors);
    }
    var grace = probe.get("terminationGracePeriodSeconds");
    var gracePath = path.child("terminationGracePeriodSeconds");
    if (grace instanceof Long seconds && seconds <= 0) {
      errors.invalid(gracePath, seconds, "must be greater than 0");
    }
    if (kind.equals("readinessProbe")) {
      if (grace != null) {
        errors.invalid(gracePath, grace, "must not be set for readinessProbes");
      }
    } else if (probe.number(0, "successThreshold") != 1) {
      errors.invalid(
          path.child("successThreshold"), probe.number(0, "successThreshold"), "must be 1");
    }
  }

  private void handler(Tree handler, List<String> kinds, FieldPath path) {
    boolean found = false;
    for (var kind : kinds) {
      if (handler.get(kind) instanceof Tree action) {
        if (found) {
          errors.forbidden(path.child(kind), "may not specify more than 1 handler type");
        } else {
          found = true;
          action(kind, action, path.child(kind));
        }
      }
    }
    if (!found) {
      errors.required(path, "must specify a handler type");
    }
  }

  private void action(String kind, Tree action, FieldPath path) {
    switch (kind) {
      case "exec" -> {
        if (action.list("command").isEmpty()) {
          errors.required(path.child("command"));
        }
      }
      case "httpGet" -> httpGet(action, path);
      case "sleep" -> sleep(action.number(0, "seconds"), path);
      default -> port(action.get("port"), path.child("port"));
    }
  }

  private void httpGet(Tree action, FieldPath path) {
    Checks.required(path.child("path"), action.textOrEmpty("path"), errors);
    port(action.get("port"), path.child("port"));
    Checks.supported(
        path.child("scheme"), action.textOrEmpty("scheme"), List.of("HTTP", "HTTPS"), errors);
    for (var header : action.trees("httpHeaders")) {
      var name = header.textOrEmpty("name");
      Checks.complaints(path.child("httpHeaders"), name, Names.httpHeaderName(name), errors);
    }
  }

  private void sleep(long seconds, FieldPath path) {
    if (gracePeriod instanceof Long grace && (seconds < 0 || seconds > grace)) {
      errors.invalid(
          path,
          seconds,
          "must be non-negative and less than terminationGracePeriodSeconds (" + grace + ")");
    }
  }

  private void port(@Nullable Object port, FieldPath path) {
    port(port, path, errors);
  }

  /// A port by number or by name.
  static void port(@Nullable Object port, FieldPath path, FieldErrors errors) {
    if (port instanceof String name) {
      Checks.complaints(path, name, Names.portName(name), errors);
    } else {
      long number = port instanceof Long value ? value : 0;
      Checks.complaints(path, number, Names.portNumber(number), errors);
    }
  }
}
