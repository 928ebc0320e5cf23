package io.berth.kinds.networking;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Tree;
import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.IpAddresses;
import io.berth.kinds.meta.Names;
import java.util.List;

/// The rules of an ingress: hosts, paths and the backends behind them.
final class IngressSpecs {

  private static final FieldPath SPEC = FieldPath.of("spec");
  private static final List<String> PATH_TYPES =
      List.of("Exact", "ImplementationSpecific", "Prefix");
  private static final List<String> BAD_SEQUENCES = List.of("//", "/./", "/../", "%2f", "%2F");
  private static final List<String> BAD_SUFFIXES = List.of("/..", "/.");

  private final FieldErrors errors;

  private IngressSpecs(FieldErrors errors) {
    this.errors = errors;
  }

  static void validate(Tree spec, FieldErrors errors) {
    new IngressSpecs(errors).all(spec);
  }

  private void all(Tree spec) {
    var backend = spec.tree("defaultBackend");
    var rules = spec.trees("rules");
    if (rules.isEmpty() && backend == null) {
      errors.invalid(SPEC, null, "either `defaultBackend` or `rules` must be specified");
    }
    if (backend != null) {
      backend(backend, SPEC.child("defaultBackend"));
    }
    for (int i = 0; i < rules.size(); i++) {
      rule(rules.get(i), SPEC.child("rules").index(i));
    }
    var certificates = spec.trees("tls");
    for (int i = 0; i < certificates.size(); i++) {
      certificate(certificates.get(i), SPEC.child("tls").index(i));
    }
    var named = spec.text("ingressClassName");
    if (named != null) {
      Checks.dnsSubdomain(SPEC.child("ingressClassName"), named, errors);
    }
  }

  private void rule(Tree rule, FieldPath path) {
    var host = rule.textOrEmpty("host");
    if (!host.isEmpty()) {
      if (IpAddresses.parse(host) != null) {
        errors.invalid(path.child("host"), host, "must be a DNS name, not an IP address");
      }
      host(host, path.child("host"));
    }
    if (!rule.has("http")) {
      return;
    }
    var paths = rule.trees("http", "paths");
    if (paths.isEmpty()) {
      errors.required(path.child("http", "paths"));
    }
    for (int i = 0; i < paths.size(); i++) {
      httpPath(paths.get(i), path.child("http", "paths").index(i));
    }
  }

  private void host(String host, FieldPath path) {
    Checks.complaints(
        path,
        host,
        host.contains("*") ? Names.wildcardDnsSubdomain(host) : Names.dnsSubdomain(host),
        errors);
  }

  private void httpPath(Tree tree, FieldPath path) {
    var type = tree.text("pathType");
    if (type == null) {
      errors.required(path.child("pathType"), "pathType must be specified");
      return;
    }
    var text = tree.textOrEmpty("path");
    switch (type) {
      case "Exact", "Prefix" -> strictPath(text, path.child("path"));
      case "ImplementationSpecific" -> {
        if (!text.isEmpty() && !text.startsWith("/")) {
          errors.invalid(path.child("path"), text, "must be an absolute path");
        }
      }
      default -> errors.notSupported(path.child("pathType"), type, PATH_TYPES);
    }
    backend(tree.treeOrEmpty("backend"), path.child("backend"));
  }

  private void strictPath(String text, FieldPath path) {
    if (!text.startsWith("/")) {
      errors.invalid(path, text, "must be an absolute path");
    }
    for (var sequence : BAD_SEQUENCES) {
      if (text.contains(sequence)) {
        errors.invalid(path, text, "must not contain '%s'".formatted(sequence));
      }
    }
    for (var suffix : BAD_SUFFIXES) {
      if (text.endsWith(suffix)) {
        errors.invalid(path, text, "cannot end with '%s'".formatted(suffix));
      }
    }
  }

  private void backend(Tree backend, FieldPath path) {
    var service = backend.tree("service");
    var resource = backend.tree("resource");
    if (service != null && resource != null) {
      errors.invalid(path, "", "cannot set both resource and service backends");
    } else if (resource != null) {
      reference(resource, path.child("resource"));
    } else if (service != null) {
      service(service, path);
    } else {
      errors.invalid(path, "", "resource or service backend is required");
    }
  }

  private void reference(Tree reference, FieldPath path) {
    var group = reference.text("apiGroup");
    if (group != null) {
      Checks.dnsSubdomain(path.child("apiGroup"), group, errors);
    }
    for (var field : List.of("kind", "name")) {
      var value = reference.textOrEmpty(field);
      if (Checks.required(path.child(field), value, errors)) {
        Checks.complaints(path.child(field), value, Names.pathSegment(value, false), errors);
      }
    }
  }

  private void service(Tree service, FieldPath path) {
    var name = service.textOrEmpty("name");
    if (Checks.required(path.child("service", "name"), name, errors)) {
      Checks.complaints(path.child("service", "name"), name, Names.dnsLabel(name), errors);
    }
    var portName = service.textOrEmpty("port", "name");
    long number = service.number(0, "port", "number");
    var port = path.child("service", "port");
    if (!portName.isEmpty() && number != 0) {
      errors.invalid(path, "", "cannot set both port name & port number");
    } else if (!portName.isEmpty()) {
      Checks.complaints(port.child("name"), portName, Names.portName(portName), errors);
    } else if (number != 0) {
      Checks.complaints(port.child("number"), number, Names.portNumber(number), errors);
    } else {
      errors.required(path, "port name or number is required");
    }
  }

  private void certificate(Tree certificate, FieldPath path) {
    var hosts = certificate.list("hosts");
    for (int i = 0; i < hosts.size(); i++) {
      host(String.valueOf(hosts.get(i)), path.child("hosts").index(i));
    }
    var secret = certificate.textOrEmpty("secretName");
    if (!secret.isEmpty()) {
      Checks.dnsSubdomain(path.child("secretName"), secret, errors);
    }
  }
}
