package io.berth.admission.podsecurity;

import static io.berth.admission.podsecurity.Words.containerList;
import static io.berth.admission.podsecurity.Words.containersWhose;
import static io.berth.admission.podsecurity.Words.plural;
import static io.berth.admission.podsecurity.Words.quoted;

import io.berth.admission.podsecurity.Level.Violation;
import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// Rules of current best practice for hardening pods.
final class Restricted {

  private static final Set<String> VOLUMES =
      Set.of(
          "configMap",
          "csi",
          "downwardAPI",
          "emptyDir",
          "ephemeral",
          "image",
          "persistentVolumeClaim",
          "projected",
          "secret");

  private Restricted() {}

  static Optional<Violation> allowPrivilegeEscalation(Tree pod) {
    if (Words.isWindows(pod)) {
      return Optional.empty();
    }
    var bad =
        containersWhose(
            pod, context -> !Boolean.FALSE.equals(context.get("allowPrivilegeEscalation")));
    return bad.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Violation(
                "allowPrivilegeEscalation != false",
                containerList(bad) + " must set securityContext.allowPrivilegeEscalation=false"));
  }

  static Optional<Violation> capabilities(Tree pod) {
    if (Words.isWindows(pod)) {
      return Optional.empty();
    }
    var notDropping =
        containersWhose(pod, context -> !context.list("capabilities", "drop").contains("ALL"));
    var added = new TreeSet<String>();
    var adding =
        containersWhose(
            pod,
            context -> {
              boolean beyond = false;
              for (var capability : context.list("capabilities", "add")) {
                if (!"NET_BIND_SERVICE".equals(capability)) {
                  added.add(String.valueOf(capability));
                  beyond = true;
                }
              }
              return beyond;
            });
    var said = new ArrayList<String>();
    if (!notDropping.isEmpty()) {
      said.add(
          containerList(notDropping) + " must set securityContext.capabilities.drop=[\"ALL\"]");
    }
    if (!adding.isEmpty()) {
      said.add(
          "%s must not include %s in securityContext.capabilities.add"
              .formatted(containerList(adding), quoted(added)));
    }
    return said.isEmpty()
        ? Optional.empty()
        : Optional.of(new Violation("unrestricted capabilities", String.join("; ", said)));
  }

  static Optional<Violation> volumes(Tree pod) {
    var bad = new ArrayList<String>();
    var types = new TreeSet<String>();
    for (var volume : pod.trees("spec", "volumes")) {
      for (var type : volume.names()) {
        if (!type.equals("name") && !VOLUMES.contains(type)) {
          bad.add(volume.textOrEmpty("name"));
          types.add(type);
        }
      }
    }
    return bad.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Violation(
                "restricted volume types",
                "%s %s %s restricted volume %s %s"
                    .formatted(
                        plural("volume", "volumes", bad.size()),
                        quoted(bad),
                        plural("uses", "use", bad.size()),
                        plural("type", "types", types.size()),
                        quoted(types))));
  }

  static Optional<Violation> runAsNonRoot(Tree pod) {
    if (Words.hasOwnUsers(pod)) {
      return Optional.empty();
    }
    var own = pod.at("spec", "securityContext", "runAsNonRoot");
    var setters = new ArrayList<String>();
    if (Boolean.FALSE.equals(own)) {
      setters.add("pod");
    }
    var explicit =
        containersWhose(pod, context -> Boolean.FALSE.equals(context.get("runAsNonRoot")));
    if (!explicit.isEmpty()) {
      setters.add(containerList(explicit));
    }
    if (!setters.isEmpty()) {
      return Optional.of(
          new Violation(
              "runAsNonRoot != true",
              String.join(" and ", setters) + " must not set securityContext.runAsNonRoot=false"));
    }
    var implicit = containersWhose(pod, context -> context.get("runAsNonRoot") == null);
    return implicit.isEmpty() || Boolean.TRUE.equals(own)
        ? Optional.empty()
        : Optional.of(
            new Violation(
                "runAsNonRoot != true",
                "pod or %s must set securityContext.runAsNonRoot=true"
                    .formatted(containerList(implicit))));
  }

  static Optional<Violation> runAsUser(Tree pod) {
    if (Words.hasOwnUsers(pod)) {
      return Optional.empty();
    }
    var setters = new ArrayList<String>();
    if (isRoot(pod.treeOrEmpty("spec", "securityContext"))) {
      setters.add("pod");
    }
    var bad = containersWhose(pod, Restricted::isRoot);
    if (!bad.isEmpty()) {
      setters.add(containerList(bad));
    }
    return setters.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Violation(
                "runAsUser=0", String.join(" and ", setters) + " must not set runAsUser=0"));
  }

  private static boolean isRoot(Tree context) {
    return Long.valueOf(0).equals(context.get("runAsUser"));
  }

  static Optional<Violation> seccompProfile(Tree pod) {
    if (Words.isWindows(pod)) {
      return Optional.empty();
    }
    var values = new TreeSet<String>();
    var setters = new ArrayList<String>();
    var own = pod.treeOrEmpty("spec", "securityContext");
    boolean badPod = setsBadSeccomp(own, values);
    if (badPod) {
      setters.add("pod");
    }
    var explicit = containersWhose(pod, context -> setsBadSeccomp(context, values));
    if (!explicit.isEmpty()) {
      setters.add(containerList(explicit));
    }
    if (!setters.isEmpty()) {
      return badSeccomp(setters, values);
    }
    var implicit = containersWhose(pod, context -> !context.has("seccompProfile"));
    return implicit.isEmpty() || own.has("seccompProfile")
        ? Optional.empty()
        : Optional.of(
            new Violation(
                "seccompProfile",
                "pod or %s must set securityContext.seccompProfile.type to \"RuntimeDefault\" or \"Localhost\""
                    .formatted(containerList(implicit))));
  }

  static boolean setsBadSeccomp(Tree context, Set<String> values) {
    if (!(context.get("seccompProfile") instanceof Tree profile)) {
      return false;
    }
    var type = profile.textOrEmpty("type");
    if (type.equals("RuntimeDefault") || type.equals("Localhost")) {
      return false;
    }
    values.add(type);
    return true;
  }

  static Optional<Violation> badSeccomp(List<String> setters, Set<String> values) {
    return setters.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Violation(
                "seccompProfile",
                "%s must not set securityContext.seccompProfile.type to %s"
                    .formatted(String.join(" and ", setters), quoted(values))));
  }
}
