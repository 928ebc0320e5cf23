package io.berth.kinds.core;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Tree;
import io.berth.kinds.meta.Checks;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Annotations of pods that mean something to Kubernetes itself.
final class PodAnnotations {

  static final String MIRROR = "kubernetes.io/config.mirror";

  private static final String TOLERATIONS = "scheduler.alpha.kubernetes.io/tolerations";
  private static final String DELETION_COST = "controller.kubernetes.io/pod-deletion-cost";
  private static final String SECCOMP_POD = "seccomp.security.alpha.kubernetes.io/pod";
  private static final String SECCOMP_CONTAINER = "container.seccomp.security.alpha.kubernetes.io/";
  private static final String APP_ARMOR = "container.apparmor.security.beta.kubernetes.io/";

  private PodAnnotations() {}

  static void validate(
      Map<String, String> annotations, Tree spec, FieldPath path, FieldErrors errors) {
    var mirror = annotations.get(MIRROR);
    if (mirror != null && spec.textOrEmpty("nodeName").isEmpty()) {
      errors.invalid(
          path.key(MIRROR), mirror, "must set spec.nodeName if mirror pod annotation is set");
    }
    tolerations(annotations.get(TOLERATIONS), path, errors);
    deletionCost(annotations.get(DELETION_COST), path.key(DELETION_COST), errors);
    annotations.forEach((key, value) -> {
      if (key.equals(SECCOMP_POD) || key.startsWith(SECCOMP_CONTAINER)) {
        seccomp(value, path.child(key), errors);
      }
      if (key.startsWith(APP_ARMOR)) {
        appArmor(key.substring(APP_ARMOR.length()), value, spec, path.key(key), errors);
      }
    });
  }

  private static void tolerations(@Nullable String text, FieldPath path, FieldErrors errors) {
    if (text == null || text.isEmpty()) {
      return;
    }
    var read = EmbeddedJson.list(text.getBytes(StandardCharsets.UTF_8), "core.Toleration");
    if (read.complaint().isEmpty()) {
      var wrapped = Tree.of("items", read.value());
      Tolerations.validate(wrapped.trees("items"), path.child(TOLERATIONS), errors);
    } else {
      errors.invalid(path, TOLERATIONS, read.complaint());
    }
  }

  private static void deletionCost(@Nullable String cost, FieldPath path, FieldErrors errors) {
    if (cost != null && !isCost(cost)) {
      errors.invalid(path, cost, "must be a 32bit integer");
    }
  }

  // One way to write each number: no plus sign, no leading zeros.
  private static boolean isCost(String cost) {
    try {
      int number = Integer.parseInt(cost);
      return cost.equals(String.valueOf(number));
    } catch (NumberFormatException e) {
      return false;
    }
  }

  private static void seccomp(String profile, FieldPath path, FieldErrors errors) {
    if (profile.startsWith("localhost/")) {
      Checks.descendingPath(path, profile.substring("localhost/".length()), errors);
    } else if (!List.of("runtime/default", "docker/default", "unconfined").contains(profile)) {
      errors.invalid(path, profile, "must be a valid seccomp profile");
    }
  }

  private static void appArmor(
      String container, String profile, Tree spec, FieldPath path, FieldErrors errors) {
    var names = new ArrayList<String>();
    Containers.visit(spec, path, (each, at) -> names.add(each.textOrEmpty("name")));
    if (!names.contains(container)) {
      errors.invalid(path, container, "container not found");
    }
    if (!profile.isEmpty()
        && !profile.equals("runtime/default")
        && !profile.equals("unconfined")
        && !profile.startsWith("localhost/")) {
      errors.invalid(path, profile, "invalid AppArmor profile name: \"" + profile + "\"");
    }
  }

  /// What a change of a running pod may not do to them.
  static void validateUpdate(Tree pod, Tree old, FieldPath path, FieldErrors errors) {
    var annotations = pod.texts("metadata", "annotations");
    var before = old.texts("metadata", "annotations");
    before.forEach((key, value) -> {
      if (!value.equals(annotations.get(key))) {
        if (key.startsWith(APP_ARMOR)) {
          errors.forbidden(path.key(key), "may not remove or update AppArmor annotations");
        }
        if (key.equals(MIRROR)) {
          errors.forbidden(path.key(key), "may not remove or update mirror pod annotation");
        }
      }
    });
    for (var key : annotations.keySet()) {
      if (!before.containsKey(key)) {
        if (key.startsWith(APP_ARMOR)) {
          errors.forbidden(path.key(key), "may not add AppArmor annotations");
        }
        if (key.equals(MIRROR)) {
          errors.forbidden(path.key(key), "may not add mirror pod annotation");
        }
      }
    }
    validate(annotations, pod.treeOrEmpty("spec"), path, errors);
  }

  /// Seccomp and AppArmor profiles in annotations must agree with those in fields.
  static void validateProfiles(
      Map<String, String> annotations, Tree spec, FieldPath path, FieldErrors errors) {
    var ofPod = spec.tree("securityContext", "seccompProfile");
    var annotation = annotations.get(SECCOMP_POD);
    if (ofPod != null && annotation != null) {
      profile(
          annotation, ofPod, "seccomp", path.child("securityContext", "seccompProfile"), errors);
    }
    Containers.visit(
        spec,
        path,
        (container, at) -> {
          var own = container.tree("securityContext", "seccompProfile");
          var text = annotations.get(SECCOMP_CONTAINER + container.textOrEmpty("name"));
          if (own != null && text != null) {
            profile(text, own, "seccomp", at.child("securityContext", "seccompProfile"), errors);
          }
        });
    if (spec.textOrEmpty("os", "name").equals("windows")) {
      return;
    }
    var podProfile = spec.tree("securityContext", "appArmorProfile");
    Containers.visit(
        spec,
        path,
        (container, at) -> {
          var own = container.tree("securityContext", "appArmorProfile");
          var effective = own == null ? podProfile : own;
          var text = annotations.get(APP_ARMOR + container.textOrEmpty("name"));
          if (effective != null && text != null) {
            profile(
                text,
                effective,
                "apparmor",
                at.child("securityContext", "appArmorProfile"),
                errors);
          }
        });
  }

  private static void profile(
      String annotation, Tree profile, String what, FieldPath path, FieldErrors errors) {
    boolean same =
        switch (profile.textOrEmpty("type")) {
          case "Unconfined" -> annotation.equals("unconfined");
          case "RuntimeDefault" ->
              annotation.equals("runtime/default")
                  || (what.equals("seccomp") && annotation.equals("docker/default"));
          case "Localhost" -> annotation.startsWith("localhost/");
          default -> true;
        };
    if (!same) {
      errors.forbidden(path.child("type"), what + " type in annotation and field must match");
    } else if (profile.textOrEmpty("type").equals("Localhost")
        && !annotation.substring("localhost/".length()).equals(profile.text("localhostProfile"))) {
      errors.forbidden(
          path.child("localhostProfile"), what + " profile in annotation and field must match");
    }
  }
}
