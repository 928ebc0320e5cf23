package io.berth.schema.openapi;

import io.berth.schema.Type;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// The names schemas have in published documents: `io.k8s.api.core.v1.Pod`.
final class SchemaNames {

  static final String QUANTITY = "io.k8s.apimachinery.pkg.api.resource.Quantity";
  static final String INT_OR_STRING = "io.k8s.apimachinery.pkg.util.intstr.IntOrString";
  static final String TIME = "io.k8s.apimachinery.pkg.apis.meta.v1.Time";
  static final String MICRO_TIME = "io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime";
  static final String FIELDS = "io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1";
  static final String JSON = "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON";
  static final String RAW_EXTENSION = "io.k8s.apimachinery.pkg.runtime.RawExtension";
  static final String PATCH = "io.k8s.apimachinery.pkg.apis.meta.v1.Patch";

  private SchemaNames() {}

  static String of(Type type) {
    var prefix =
        switch (type.group()) {
          case "meta" -> "io.k8s.apimachinery.pkg.apis.";
          case "apiextensions" -> "io.k8s.apiextensions-apiserver.pkg.apis.";
          case "apiregistration" -> "io.k8s.kube-aggregator.pkg.apis.";
          default -> "io.k8s.api.";
        };
    return prefix + type.name();
  }

  /// `com.example.stable.v1.CronTab` for a custom kind of `stable.example.com/v1`.
  static String ofCustom(String group, String version, String kind) {
    List<String> parts = new ArrayList<>(List.of(group.split("\\.", -1)));
    Collections.reverse(parts);
    return String.join(".", parts) + "." + version + "." + kind;
  }
}
