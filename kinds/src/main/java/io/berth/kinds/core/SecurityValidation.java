package io.berth.kinds.core;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Tree;
import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.Names;
import java.util.HashSet;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The rules of security contexts, and of what a pod may share with its host.
final class SecurityValidation {

  private static final List<String> PROFILE_TYPES =
      List.of("Localhost", "RuntimeDefault", "Unconfined");
  private static final String SYSCTL_SEGMENT = "[a-z0-9]([-_a-z0-9]*[a-z0-9])?";
  private static final Pattern SYSCTL =
      Pattern.compile("^(" + SYSCTL_SEGMENT + "[\\./])*" + SYSCTL_SEGMENT + "$");
  private static final int MAX_SYSCTL = 253;
  private static final int MAX_PROFILE = 4095;
  private static final String NOT_ON_WINDOWS = "cannot be set for a windows pod";
  private static final String NOT_FOR_OWN_USERS = "when `hostUsers` is false";

  private final Tree spec;
  private final FieldPath path;
  private final FieldErrors errors;

  SecurityValidation(Tree spec, FieldPath path, FieldErrors errors) {
    this.spec = spec;
    this.path = path;
    this.errors = errors;
  }

  void pod() {
    var context = spec.tree("securityContext");
    if (context == null) {
      return;
    }
    var at = path.child("securityContext");
    ids(context, at, "fsGroup", "runAsUser", "runAsGroup");
    var groups = context.list("supplementalGroups");
    for (int i = 0; i < groups.size(); i++) {
      id(groups.get(i), at.child("supplementalGroups").index(i));
    }
    sysctls(context.trees("sysctls"), at.child("sysctls"));
    word(context, at, "fsGroupChangePolicy", List.of("Always", "OnRootMismatch"));
    seccomp(context.tree("seccompProfile"), at.child("seccompProfile"));
    WindowsOptions.validate(context.tree("windowsOptions"), at.child("windowsOptions"), errors);
    appArmor(context.tree("appArmorProfile"), at.child("appArmorProfile"));
    word(context, at, "supplementalGroupsPolicy", List.of("Merge", "Strict"));
    word(context, at, "seLinuxChangePolicy", List.of("MountOption", "Recursive"));
  }

  void container(@Nullable Tree context, FieldPath at) {
    if (context == null) {
      return;
    }
    ids(context, at, "runAsUser", "runAsGroup");
    if (context.get("procMount") instanceof String procMount) {
      Checks.supported(at.child("procMount"), procMount, List.of("Default", "Unmasked"), errors);
      boolean hostUsers = !Boolean.FALSE.equals(spec.get("hostUsers"));
      if (hostUsers && procMount.equals("Unmasked")) {
        errors.invalid(
            at.child("procMount"), procMount, "`hostUsers` must be false to use `Unmasked`");
      }
    }
    seccomp(context.tree("seccompProfile"), at.child("seccompProfile"));
    if (Boolean.FALSE.equals(context.get("allowPrivilegeEscalation"))) {
      escalation(context, at);
    }
    WindowsOptions.validate(context.tree("windowsOptions"), at.child("windowsOptions"), errors);
    appArmor(context.tree("appArmorProfile"), at.child("appArmorProfile"));
  }

  private void escalation(Tree context, FieldPath at) {
    if (context.flag("privileged")) {
      errors.invalid(
          at,
          GoStructs.SECURITY_CONTEXT.of(context),
          "cannot set `allowPrivilegeEscalation` to false and `privileged` to true");
    }
    for (var capability : context.list("capabilities", "add")) {
      if ("CAP_SYS_ADMIN".equals(capability)) {
        errors.invalid(
            at,
            GoStructs.SECURITY_CONTEXT.of(context),
            "cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN");
      }
    }
  }

  private void ids(Tree context, FieldPath at, String... fields) {
    for (var field : fields) {
      id(context.get(field), at.child(field));
    }
  }

  private void id(@Nullable Object value, FieldPath at) {
    if (value instanceof Long id) {
      Checks.inRange(at, id, 0, Integer.MAX_VALUE, errors);
    }
  }

  private void word(Tree context, FieldPath at, String field, List<String> words) {
    if (context.get(field) instanceof String value) {
      Checks.supported(at.child(field), value, words, errors);
    }
  }

  private void sysctls(List<Tree> sysctls, FieldPath at) {
    var names = new HashSet<String>();
    for (int i = 0; i < sysctls.size(); i++) {
      var name = sysctls.get(i).textOrEmpty("name");
      var namePath = at.index(i).child("name");
      if (name.isEmpty()) {
        errors.required(namePath);
      } else if (Names.bytes(name) > MAX_SYSCTL || !SYSCTL.matcher(name).matches()) {
        errors.invalid(
            namePath,
            name,
            "must have at most %d characters and match regex %s".formatted(MAX_SYSCTL, SYSCTL));
      } else if (names.contains(name)) {
        errors.duplicate(namePath, name);
      }
      hostSysctl(name, namePath);
      names.add(name);
    }
  }

  private void hostSysctl(String name, FieldPath at) {
    var dotted = name.replace('/', '.');
    if (spec.flag("hostNetwork") && dotted.startsWith("net.")) {
      errors.invalid(at, name, "may not be specified when 'hostNetwork' is true");
    } else if (spec.flag("hostIPC")
        && (dotted.startsWith("fs.mqueue.")
            || dotted.startsWith("kernel.shm")
            || dotted.startsWith("kernel.msg")
            || dotted.equals("kernel.sem"))) {
      errors.invalid(at, name, "may not be specified when 'hostIPC' is true");
    }
  }

  private void seccomp(@Nullable Tree profile, FieldPath at) {
    if (profile == null) {
      return;
    }
    var type = profile.textOrEmpty("type");
    if (type.isEmpty()) {
      errors.required(at.child("type"), "type is required when seccompProfile is set");
    } else {
      Checks.supported(at.child("type"), type, PROFILE_TYPES, errors);
    }
    var localhost = profile.text("localhostProfile");
    if (type.equals("Localhost")) {
      if (localhost == null) {
        errors.required(at.child("localhostProfile"), "must be set when seccomp type is Localhost");
      } else {
        Checks.descendingPath(at.child("localhostProfile"), localhost, errors);
      }
    } else if (localhost != null) {
      errors.invalid(
          at.child("localhostProfile"),
          Tree.of("Type", type, "LocalhostProfile", localhost),
          "can only be set when seccomp type is Localhost");
    }
  }

  private void appArmor(@Nullable Tree profile, FieldPath at) {
    if (profile == null) {
      return;
    }
    var localhost = profile.text("localhostProfile");
    switch (profile.textOrEmpty("type")) {
      case "Localhost" -> localAppArmor(localhost, at.child("localhostProfile"));
      case "RuntimeDefault", "Unconfined" -> {
        if (localhost != null) {
          errors.invalid(
              at.child("localhostProfile"),
              localhost,
              "can only be set when AppArmor type is Localhost");
        }
      }
      case "" -> errors.required(at.child("type"), "type is required when appArmorProfile is set");
      default -> errors.notSupported(at.child("type"), profile.textOrEmpty("type"), PROFILE_TYPES);
    }
  }

  private void localAppArmor(@Nullable String profile, FieldPath at) {
    if (profile == null) {
      errors.required(at, "must be set when AppArmor type is Localhost");
      return;
    }
    if (!profile.equals(profile.strip())) {
      errors.invalid(at, profile, "must not be padded with whitespace");
    } else if (profile.isEmpty()) {
      errors.required(at, "must be set when AppArmor type is Localhost");
    }
    if (Names.bytes(profile) > MAX_PROFILE) {
      errors.tooLong(at, MAX_PROFILE);
    }
  }

  void windowsHostProcess() {
    WindowsOptions.validateHostProcess(spec, path, errors);
  }

  void hostUsers() {
    if (!Boolean.FALSE.equals(spec.get("hostUsers"))) {
      return;
    }
    if (spec.flag("hostNetwork")) {
      errors.forbidden(path.child("hostNetwork"), NOT_FOR_OWN_USERS);
    }
    if (spec.flag("hostPID")) {
      errors.forbidden(path.child("HostPID"), NOT_FOR_OWN_USERS);
    }
    if (spec.flag("hostIPC")) {
      errors.forbidden(path.child("HostIPC"), NOT_FOR_OWN_USERS);
    }
    Containers.visit(
        spec,
        path,
        (container, at) -> {
          if (!container.list("volumeDevices").isEmpty()) {
            errors.forbidden(at.child("volumeDevices"), NOT_FOR_OWN_USERS);
          }
        });
  }

  void operatingSystem() {
    var os = spec.tree("os");
    if (os == null) {
      return;
    }
    var name = os.textOrEmpty("name");
    switch (name) {
      case "" -> errors.required(path.child("os", "name"));
      case "linux" -> linux();
      case "windows" -> windows();
      default -> errors.notSupported(path.child("os"), name, List.of("linux", "windows"));
    }
  }

  private void linux() {
    var message = "windows options cannot be set for a linux pod";
    if (spec.at("securityContext", "windowsOptions") != null) {
      errors.forbidden(path.child("securityContext", "windowsOptions"), message);
    }
    Containers.visit(
        spec,
        path,
        (container, at) -> {
          if (container.at("securityContext", "windowsOptions") != null) {
            errors.forbidden(at.child("securityContext", "windowsOptions"), message);
          }
        });
  }

  private void windows() {
    forbid(
        spec.treeOrEmpty("securityContext"),
        path.child("securityContext"),
        "appArmorProfile",
        "seLinuxOptions",
        "seccompProfile",
        "fsGroup",
        "fsGroupChangePolicy",
        "sysctls",
        "runAsUser",
        "runAsGroup",
        "supplementalGroups",
        "supplementalGroupsPolicy",
        "seLinuxChangePolicy");
    forbid(spec, path, "hostUsers");
    for (var field : List.of("hostPID", "hostIPC")) {
      if (spec.flag(field)) {
        errors.forbidden(path.child(field), NOT_ON_WINDOWS);
      }
    }
    forbid(spec, path, "shareProcessNamespace");
    Containers.visit(
        spec,
        path,
        (container, at) ->
            forbid(
                container.treeOrEmpty("securityContext"),
                at.child("securityContext"),
                "appArmorProfile",
                "seLinuxOptions",
                "seccompProfile",
                "capabilities",
                "readOnlyRootFilesystem",
                "privileged",
                "allowPrivilegeEscalation",
                "procMount",
                "runAsUser",
                "runAsGroup"));
  }

  private void forbid(Tree tree, FieldPath at, String... fields) {
    for (var field : fields) {
      if (tree.get(field) != null) {
        errors.forbidden(at.child(field), NOT_ON_WINDOWS);
      }
    }
  }
}
