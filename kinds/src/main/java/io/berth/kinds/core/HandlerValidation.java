package io.berth.kinds.core;

import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.Names;
import java.util.List;

/// The rules of probes and lifecycle hooks.
///
/// Mirrors: core/validation.validateHandler, validateProbe
final class HandlerValidation {

  private static final List<String> PROBE_HANDLERS =
      List.of("exec", "httpGet", "tcpSocket", "grpc");
  private static final List<String> HOOK_HANDLERS =
      List.of("exec", "httpGet", "tcpSocket", "sleep");

  private final Cursor gracePeriod;

  HandlerValidation(Cursor spec) {
    this.gracePeriod = spec.at("terminationGracePeriodSeconds");
  }

  void all(Cursor container) {
    for (var hook : container.at("lifecycle").fields("postStart", "preStop")) {
      hook.ifSet(each -> handler(each, HOOK_HANDLERS));
    }
    for (var probe : container.fields("livenessProbe", "readinessProbe", "startupProbe")) {
      probe.ifSet(this::probe);
    }
  }

  private void probe(Cursor probe) {
    handler(probe, PROBE_HANDLERS);
    probe.noneNegative(
        "initialDelaySeconds",
        "timeoutSeconds",
        "periodSeconds",
        "successThreshold",
        "failureThreshold");
    var grace = probe.at("terminationGracePeriodSeconds").ifSet();
    if (grace.number() <= 0) {
      grace.invalid("must be greater than 0");
    }
    if (probe.name().equals("readinessProbe")) {
      grace.invalid("must not be set for readinessProbes");
    } else if (probe.number("successThreshold") != 1) {
      probe.at("successThreshold").invalidNumber("must be 1");
    }
  }

  private void handler(Cursor handler, List<String> kinds) {
    boolean found = false;
    for (var kind : kinds) {
      var action = handler.at(kind);
      if (action.isSet() && found) {
        action.forbidden("may not specify more than 1 handler type");
      } else if (action.isSet()) {
        found = true;
        action(action);
      }
    }
    if (!found) {
      handler.missing("must specify a handler type");
    }
  }

  private void action(Cursor action) {
    switch (action.name()) {
      case "exec" -> action.at("command").required();
      case "httpGet" -> httpGet(action);
      case "sleep" -> sleep(action);
      default -> port(action.at("port"));
    }
  }

  private static void httpGet(Cursor action) {
    action.at("path").required();
    port(action.at("port"));
    action.at("scheme").supported();
    for (var header : action.each("httpHeaders")) {
      action.at("httpHeaders").with(header.text("name")).follows(Names::httpHeaderName);
    }
  }

  private void sleep(Cursor action) {
    long seconds = action.number("seconds");
    long grace = gracePeriod.number();
    if (gracePeriod.isSet() && (seconds < 0 || seconds > grace)) {
      action.invalid(
          seconds,
          "must be non-negative and less than terminationGracePeriodSeconds (" + grace + ")");
    }
  }

  /// A port by number or by name.
  static void port(Cursor port) {
    if (port.value() instanceof String) {
      port.follows(Names::portName);
    } else {
      port.port();
    }
  }
}
