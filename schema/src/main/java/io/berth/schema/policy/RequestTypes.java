package io.berth.schema.policy;

import static dev.cel.common.types.SimpleType.BOOL;
import static dev.cel.common.types.SimpleType.DYN;
import static dev.cel.common.types.SimpleType.INT;
import static dev.cel.common.types.SimpleType.STRING;
import static dev.cel.common.types.SimpleType.TIMESTAMP;

import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import java.util.Map;

/// The types of `request` and `namespaceObject`.
final class RequestTypes {

  private static final CelType TEXTS = ListType.create(STRING);
  private static final CelType LABELS = MapType.create(STRING, STRING);

  private RequestTypes() {}

  static CelType request(StructTypes types) {
    var kind =
        types.declare(
            "kubernetes.GroupVersionKind",
            Map.of("group", STRING, "version", STRING, "kind", STRING));
    var resource =
        types.declare(
            "kubernetes.GroupVersionResource",
            Map.of("group", STRING, "version", STRING, "resource", STRING));
    var user =
        types.declare(
            "kubernetes.UserInfo",
            Map.of(
                "username",
                STRING,
                "uid",
                STRING,
                "groups",
                TEXTS,
                "extra",
                MapType.create(STRING, TEXTS)));
    return types.declare(
        "kubernetes.AdmissionRequest",
        Map.ofEntries(
            Map.entry("kind", kind),
            Map.entry("resource", resource),
            Map.entry("subResource", STRING),
            Map.entry("requestKind", kind),
            Map.entry("requestResource", resource),
            Map.entry("requestSubResource", STRING),
            Map.entry("name", STRING),
            Map.entry("namespace", STRING),
            Map.entry("operation", STRING),
            Map.entry("userInfo", user),
            Map.entry("dryRun", BOOL),
            Map.entry("options", DYN)));
  }

  static CelType namespace(StructTypes types) {
    var spec = types.declare("kubernetes.NamespaceSpec", Map.of("finalizers", TEXTS));
    var condition =
        types.declare(
            "kubernetes.NamespaceCondition",
            Map.of(
                "status",
                STRING,
                "type",
                STRING,
                "lastTransitionTime",
                TIMESTAMP,
                "message",
                STRING,
                "reason",
                STRING));
    var status =
        types.declare(
            "kubernetes.NamespaceStatus",
            Map.of("conditions", ListType.create(condition), "phase", STRING));
    return types.declare(
        "kubernetes.Namespace",
        Map.of("metadata", metadata(types), "spec", spec, "status", status));
  }

  private static CelType metadata(StructTypes types) {
    return types.declare(
        "kubernetes.NamespaceMetadata",
        Map.ofEntries(
            Map.entry("name", STRING),
            Map.entry("generateName", STRING),
            Map.entry("namespace", STRING),
            Map.entry("labels", LABELS),
            Map.entry("annotations", LABELS),
            // As in Kubernetes, where the field is declared by another name than it has.
            Map.entry("UID", STRING),
            Map.entry("creationTimestamp", TIMESTAMP),
            Map.entry("deletionGracePeriodSeconds", INT),
            Map.entry("deletionTimestamp", TIMESTAMP),
            Map.entry("generation", INT),
            Map.entry("resourceVersion", STRING),
            Map.entry("finalizers", TEXTS)));
  }
}
