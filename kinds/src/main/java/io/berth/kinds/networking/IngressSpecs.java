package io.berth.kinds.networking;

import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.IpAddresses;
import io.berth.kinds.meta.Names;
import java.util.List;

/// The rules of an ingress: hosts, paths and the backends behind them.
///
/// Mirrors: networking/validation.ValidateIngressSpec
final class IngressSpecs {

  private static final List<String> PATH_TYPES =
      List.of("Exact", "ImplementationSpecific", "Prefix");
  private static final List<String> BAD_SEQUENCES = List.of("//", "/./", "/../", "%2f", "%2F");
  private static final List<String> BAD_SUFFIXES = List.of("/..", "/.");

  private IngressSpecs() {}

  static void validate(Cursor spec) {
    var backend = spec.at("defaultBackend");
    if (spec.at("rules").isEmpty() && !backend.isSet()) {
      spec.invalid(null, "either `defaultBackend` or `rules` must be specified");
    }
    backend.ifSet(IngressSpecs::backend);
    spec.each("rules", IngressSpecs::rule);
    spec.each("tls", IngressSpecs::certificate);
    spec.at("ingressClassName").ifSet().follows(Names::dnsSubdomain);
  }

  private static void rule(Cursor rule) {
    var host = rule.at("host").ifFilled();
    if (IpAddresses.parse(host.text()) != null) {
      host.invalid("must be a DNS name, not an IP address");
    }
    host(host);
    if (rule.has("http")) {
      var paths = rule.at("http", "paths").required();
      paths.each().forEach(IngressSpecs::httpPath);
    }
  }

  private static void host(Cursor host) {
    host.follows(host.text().contains("*") ? Names::wildcardDnsSubdomain : Names::dnsSubdomain);
  }

  private static void httpPath(Cursor entry) {
    var type = entry.at("pathType");
    if (!type.isSet()) {
      type.missing("pathType must be specified");
      return;
    }
    var path = entry.at("path");
    switch (type.text()) {
      case "Exact", "Prefix" -> strictPath(path);
      case "ImplementationSpecific" -> absolutePath(path.ifFilled());
      default -> type.notSupported(PATH_TYPES);
    }
    backend(entry.at("backend"));
  }

  private static void strictPath(Cursor path) {
    absolutePath(path);
    for (var sequence : BAD_SEQUENCES) {
      if (path.text().contains(sequence)) {
        path.invalid("must not contain '%s'".formatted(sequence));
      }
    }
    for (var suffix : BAD_SUFFIXES) {
      if (path.text().endsWith(suffix)) {
        path.invalid("cannot end with '%s'".formatted(suffix));
      }
    }
  }

  private static void absolutePath(Cursor path) {
    if (!path.text().startsWith("/")) {
      path.invalidText("must be an absolute path");
    }
  }

  private static void backend(Cursor backend) {
    boolean service = backend.has("service");
    boolean resource = backend.has("resource");
    if (service && resource) {
      backend.invalid("", "cannot set both resource and service backends");
    } else if (resource) {
      validateReference(backend.at("resource"));
    } else if (service) {
      service(backend);
    } else {
      backend.invalid("", "resource or service backend is required");
    }
  }

  /// A reference to an object of any kind, by its parts.
  static void validateReference(Cursor reference) {
    reference.at("apiGroup").ifSet().follows(Names::dnsSubdomain);
    for (var field : reference.fields("kind", "name")) {
      field.required().follows(Names::pathSegment);
    }
  }

  private static void service(Cursor backend) {
    backend.at("service", "name").required().follows(Names::dnsLabel);
    var name = backend.at("service", "port", "name");
    var number = backend.at("service", "port", "number");
    if (!name.isEmpty() && number.number() != 0) {
      backend.invalid("", "cannot set both port name & port number");
    } else if (!name.isEmpty()) {
      name.follows(Names::portName);
    } else if (number.number() != 0) {
      number.port();
    } else {
      backend.missing("port name or number is required");
    }
  }

  private static void certificate(Cursor certificate) {
    certificate.each("hosts", IngressSpecs::host);
    certificate.at("secretName").ifFilled().follows(Names::dnsSubdomain);
  }
}
