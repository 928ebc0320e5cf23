package io.berth.kinds.core;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.ResourceList;
import io.berth.api.Tree;
import io.berth.kinds.meta.Checks;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// References to a pod's own fields and resources, in variables and volumes.
final class DownwardFields {

  private static final List<String> RESOURCES =
      List.of(
          "limits.cpu",
          "limits.ephemeral-storage",
          "limits.memory",
          "requests.cpu",
          "requests.ephemeral-storage",
          "requests.memory");

  // Labels of pod fields that this API version knows at all.
  private static final Set<String> KNOWN =
      Set.of(
          "metadata.annotations",
          "metadata.labels",
          "metadata.name",
          "metadata.namespace",
          "metadata.uid",
          "spec.nodeName",
          "spec.restartPolicy",
          "spec.serviceAccountName",
          "spec.schedulerName",
          "status.phase",
          "status.hostIP",
          "status.hostIPs",
          "status.podIP",
          "status.podIPs",
          "spec.host");

  private static final Set<String> CPU_DIVISORS = Set.of("1m", "1");
  private static final Set<String> BYTE_DIVISORS =
      Set.of("1", "1k", "1M", "1G", "1T", "1P", "1E", "1Ki", "1Mi", "1Gi", "1Ti", "1Pi", "1Ei");

  private final FieldErrors errors;

  DownwardFields(FieldErrors errors) {
    this.errors = errors;
  }

  void field(Tree reference, List<String> supported, FieldPath path) {
    if (!Checks.required(path.child("apiVersion"), reference.textOrEmpty("apiVersion"), errors)) {
      return;
    }
    var field = reference.textOrEmpty("fieldPath");
    if (!Checks.required(path.child("fieldPath"), field, errors)) {
      return;
    }
    var unconvertible = conversionError(reference.textOrEmpty("apiVersion"), field);
    if (!unconvertible.isEmpty()) {
      errors.invalid(
          path.child("fieldPath"), field, "error converting fieldPath: " + unconvertible);
      return;
    }
    int bracket = field.indexOf("['");
    if (bracket > 0) {
      var subscript = field.substring(bracket + 2, field.length() - 2);
      boolean labels = field.startsWith("metadata.labels");
      Checks.qualifiedName(path, labels ? subscript : subscript.toLowerCase(Locale.ROOT), errors);
      return;
    }
    var name = field.equals("spec.host") ? "spec.nodeName" : field;
    if (!supported.contains(name)) {
      errors.notSupported(path.child("fieldPath"), name, supported);
    }
  }

  private static String conversionError(String version, String field) {
    if (!version.equals("v1")) {
      return "unsupported pod version: " + version;
    }
    int bracket = field.indexOf("['");
    if (bracket > 0 && field.endsWith("']")) {
      var name = field.substring(0, bracket);
      return name.equals("metadata.annotations") || name.equals("metadata.labels")
          ? ""
          : "field label does not support subscript: " + field;
    }
    return KNOWN.contains(field) ? "" : "field label not supported: " + field;
  }

  void resource(Tree reference, boolean inVolume, FieldPath path) {
    var resource = reference.textOrEmpty("resource");
    if (inVolume && reference.textOrEmpty("containerName").isEmpty()) {
      errors.required(path.child("containerName"));
    } else if (resource.isEmpty()) {
      errors.required(path.child("resource"));
    } else if (!RESOURCES.contains(resource) && !isHugePages(resource)) {
      errors.notSupported(path.child("resource"), resource, RESOURCES);
    }
    divisor(resource, reference, path.child("divisor"));
  }

  private void divisor(String resource, Tree reference, FieldPath path) {
    var quantity = ResourceList.quantity(reference.get("divisor"));
    if (quantity.isZero()) {
      return;
    }
    var divisor = quantity.toString();
    var all = "1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei";
    if (resource.endsWith(".cpu") && !CPU_DIVISORS.contains(divisor)) {
      errors.invalid(
          path, resource, "only divisor's values 1m and 1 are supported with the cpu resource");
    } else if (!resource.endsWith(".cpu") && !BYTE_DIVISORS.contains(divisor)) {
      var name =
          isHugePages(resource)
              ? "hugepages"
              : resource.endsWith(".memory") ? "memory" : "local ephemeral storage";
      if (isHugePages(resource) || RESOURCES.contains(resource)) {
        errors.invalid(
            path,
            resource,
            "only divisor's values %s are supported with the %s resource".formatted(all, name));
      }
    }
  }

  private static boolean isHugePages(String resource) {
    return resource.startsWith("requests.hugepages-") || resource.startsWith("limits.hugepages-");
  }
}
