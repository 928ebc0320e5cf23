package io.berth.kinds.core;

import io.berth.api.Tree;
import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.Cursor;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Annotations of pods that mean something to Kubernetes itself.
///
/// Mirrors: core/validation.ValidatePodSpecificAnnotations
final class PodAnnotations {

  static final String MIRROR = "kubernetes.io/config.mirror";

  private static final String TOLERATIONS = "scheduler.alpha.kubernetes.io/tolerations";
  private static final String DELETION_COST = "controller.kubernetes.io/pod-deletion-cost";
  private static final String SECCOMP_POD = "seccomp.security.alpha.kubernetes.io/pod";
  private static final String SECCOMP_CONTAINER = "container.seccomp.security.alpha.kubernetes.io/";
  private static final String APP_ARMOR = "container.apparmor.security.beta.kubernetes.io/";
  private static final List<String> SECCOMP_PROFILES =
      List.of("runtime/default", "docker/default", "unconfined");

  private PodAnnotations() {}

  static void validate(Cursor annotations, Cursor spec) {
    if (spec.text("nodeName").isEmpty()) {
      annotations
          .key(MIRROR)
          .ifSet()
          .invalid("must set spec.nodeName if mirror pod annotation is set");
    }
    tolerations(annotations);
    var cost = annotations.key(DELETION_COST);
    if (cost.isSet() && !isCost(cost.text())) {
      cost.invalid("must be a 32bit integer");
    }
    annotations
        .texts()
        .forEach((key, value) -> {
          if (key.equals(SECCOMP_POD) || key.startsWith(SECCOMP_CONTAINER)) {
            seccomp(annotations.at(key));
          }
          if (key.startsWith(APP_ARMOR)) {
            appArmor(annotations.key(key), spec);
          }
        });
  }

  private static void tolerations(Cursor annotations) {
    var text = annotations.text(TOLERATIONS);
    if (text.isEmpty()) {
      return;
    }
    var read = EmbeddedJson.list(text.getBytes(StandardCharsets.UTF_8), "core.Toleration");
    if (read.complaint().isEmpty()) {
      var items = Tree.of("items", read.value()).trees("items");
      Tolerations.validate(annotations.at(TOLERATIONS).with(items));
    } else {
      annotations.invalid(TOLERATIONS, read.complaint());
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

  private static void seccomp(Cursor profile) {
    if (profile.text().startsWith("localhost/")) {
      Checks.descendingPath(profile.with(profile.text().substring("localhost/".length())));
    } else if (!SECCOMP_PROFILES.contains(profile.text())) {
      profile.invalid("must be a valid seccomp profile");
    }
  }

  private static void appArmor(Cursor annotation, Cursor spec) {
    var container = annotation.name().substring(APP_ARMOR.length());
    if (Containers.all(spec).stream().noneMatch(each -> each.text("name").equals(container))) {
      annotation.invalid(container, "container not found");
    }
    var profile = annotation.text();
    if (!profile.isEmpty()
        && !profile.equals("runtime/default")
        && !profile.equals("unconfined")
        && !profile.startsWith("localhost/")) {
      annotation.invalid("invalid AppArmor profile name: \"" + profile + "\"");
    }
  }

  /// What a change of a running pod may not do to them.
  static void validateUpdate(Cursor pod, Tree old) {
    var annotations = pod.at("metadata", "annotations");
    var before = old.texts("metadata", "annotations");
    before.forEach((key, value) -> {
      if (!annotations.key(key).is(value)) {
        refuse(annotations.key(key), "may not remove or update");
      }
    });
    for (var key : annotations.texts().keySet()) {
      if (!before.containsKey(key)) {
        refuse(annotations.key(key), "may not add");
      }
    }
    validate(annotations, pod.at("spec"));
  }

  private static void refuse(Cursor annotation, String what) {
    if (annotation.name().startsWith(APP_ARMOR)) {
      annotation.forbidden(what + " AppArmor annotations");
    }
    if (annotation.name().equals(MIRROR)) {
      annotation.forbidden(what + " mirror pod annotation");
    }
  }

  /// Seccomp and AppArmor profiles in annotations must agree with those in fields.
  static void validateProfiles(Map<String, String> annotations, Cursor spec) {
    var ofPod = spec.at("securityContext", "seccompProfile");
    profile(annotations.get(SECCOMP_POD), ofPod, "seccomp");
    var containers = Containers.all(spec);
    for (var container : containers) {
      profile(
          annotations.get(SECCOMP_CONTAINER + container.text("name")),
          container.at("securityContext", "seccompProfile"),
          "seccomp");
    }
    if (spec.at("os").text("name").equals("windows")) {
      return;
    }
    var podProfile = spec.at("securityContext", "appArmorProfile");
    for (var container : containers) {
      var own = container.at("securityContext", "appArmorProfile");
      profile(
          annotations.get(APP_ARMOR + container.text("name")),
          own.isSet() ? own : own.with(podProfile.value()),
          "apparmor");
    }
  }

  private static void profile(@Nullable String annotation, Cursor profile, String what) {
    if (annotation == null || !profile.isSet()) {
      return;
    }
    boolean same =
        switch (profile.text("type")) {
          case "Unconfined" -> annotation.equals("unconfined");
          case "RuntimeDefault" ->
              annotation.equals("runtime/default")
                  || (what.equals("seccomp") && annotation.equals("docker/default"));
          case "Localhost" -> annotation.startsWith("localhost/");
          default -> true;
        };
    if (!same) {
      profile.at("type").forbidden(what + " type in annotation and field must match");
    } else if (profile.text("type").equals("Localhost")
        && !profile.at("localhostProfile").is(annotation.substring("localhost/".length()))) {
      profile
          .at("localhostProfile")
          .forbidden(what + " profile in annotation and field must match");
    }
  }
}
