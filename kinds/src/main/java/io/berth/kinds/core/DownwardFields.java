package io.berth.kinds.core;

import io.berth.api.ResourceList;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.Names;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// References to a pod's own fields and resources, in variables and volumes.
///
/// Mirrors: core/validation.validateObjectFieldSelector, validateContainerResourceFieldSelector
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

  private DownwardFields() {}

  static void field(Cursor reference, List<String> supported) {
    var version = reference.at("apiVersion").required();
    if (!version.isSet()) {
      return;
    }
    var path = reference.at("fieldPath").required();
    var field = path.text();
    var unconvertible = conversionError(version.text(), field);
    if (!unconvertible.isEmpty()) {
      path.invalid("error converting fieldPath: " + unconvertible);
      return;
    }
    int bracket = field.indexOf("['");
    if (bracket > 0) {
      var subscript = field.substring(bracket + 2, field.length() - 2);
      boolean labels = field.startsWith("metadata.labels");
      reference
          .with(labels ? subscript : subscript.toLowerCase(Locale.ROOT))
          .follows(Names::qualifiedName);
      return;
    }
    path.with(field.equals("spec.host") ? "spec.nodeName" : field).supported(supported);
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

  static void resource(Cursor reference, boolean inVolume) {
    var resource = reference.at("resource");
    if (inVolume && reference.text("containerName").isEmpty()) {
      reference.at("containerName").missing();
    } else if (!isHugePages(resource.text())) {
      resource.oneOf(RESOURCES);
    }
    divisor(reference.at("divisor"), resource.text());
  }

  private static void divisor(Cursor field, String resource) {
    var quantity = ResourceList.quantity(field.value());
    if (quantity.isZero()) {
      return;
    }
    var divisor = quantity.toString();
    var all = "1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei";
    if (resource.endsWith(".cpu") && !CPU_DIVISORS.contains(divisor)) {
      field.invalid(resource, "only divisor's values 1m and 1 are supported with the cpu resource");
    } else if (!resource.endsWith(".cpu") && !BYTE_DIVISORS.contains(divisor)) {
      var name =
          isHugePages(resource)
              ? "hugepages"
              : resource.endsWith(".memory") ? "memory" : "local ephemeral storage";
      if (isHugePages(resource) || RESOURCES.contains(resource)) {
        field.invalid(
            resource,
            "only divisor's values %s are supported with the %s resource".formatted(all, name));
      }
    }
  }

  private static boolean isHugePages(String resource) {
    return resource.startsWith("requests.hugepages-") || resource.startsWith("limits.hugepages-");
  }
}
