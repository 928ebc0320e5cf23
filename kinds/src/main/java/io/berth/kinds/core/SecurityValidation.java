package io.berth.kinds.core;

import io.berth.api.Tree;
import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.Names;
import java.util.HashSet;
import java.util.List;
import java.util.regex.Pattern;

/// The rules of security contexts, and of what a pod may share with its host.
///
/// Mirrors: core/validation.ValidateSecurityContext, validatePodSpecSecurityContext
final class SecurityValidation {

  private static final List<String> SELINUX_POLICIES = List.of("MountOption", "Recursive");
  private static final String SYSCTL_SEGMENT = "[a-z0-9]([-_a-z0-9]*[a-z0-9])?";
  private static final Pattern SYSCTL =
      Pattern.compile("^(" + SYSCTL_SEGMENT + "[\\./])*" + SYSCTL_SEGMENT + "$");
  private static final int MAX_SYSCTL = 253;
  private static final int MAX_PROFILE = 4095;
  private static final String NOT_ON_WINDOWS = "cannot be set for a windows pod";
  private static final String NOT_FOR_OWN_USERS = "when `hostUsers` is false";

  private final Cursor spec;

  SecurityValidation(Cursor spec) {
    this.spec = spec;
  }

  void pod() {
    var context = spec.at("securityContext");
    if (!context.isSet()) {
      return;
    }
    ids(context.fields("fsGroup", "runAsUser", "runAsGroup"));
    ids(context.each("supplementalGroups"));
    sysctls(context.each("sysctls"));
    context.at("fsGroupChangePolicy").ifSet().supported();
    context.at("seccompProfile").ifSet(SecurityValidation::seccomp);
    WindowsOptions.validate(context.at("windowsOptions"));
    context.at("appArmorProfile").ifSet(SecurityValidation::appArmor);
    context.at("supplementalGroupsPolicy").ifSet().supported();
    context.at("seLinuxChangePolicy").ifSet().supported(SELINUX_POLICIES);
  }

  void container(Cursor context) {
    ids(context.fields("runAsUser", "runAsGroup"));
    var procMount = context.at("procMount").ifSet().supported();
    if (procMount.is("Unmasked") && !isFalse(spec.at("hostUsers"))) {
      procMount.invalid("`hostUsers` must be false to use `Unmasked`");
    }
    context.at("seccompProfile").ifSet(SecurityValidation::seccomp);
    if (isFalse(context.at("allowPrivilegeEscalation"))) {
      escalation(context);
    }
    WindowsOptions.validate(context.at("windowsOptions"));
    context.at("appArmorProfile").ifSet(SecurityValidation::appArmor);
  }

  private static boolean isFalse(Cursor field) {
    return field.isSet() && !field.flag();
  }

  private static void escalation(Cursor context) {
    if (context.flag("privileged")) {
      context.invalid(
          GoStructs.SECURITY_CONTEXT.of(context.tree()),
          "cannot set `allowPrivilegeEscalation` to false and `privileged` to true");
    }
    for (var capability : context.at("capabilities").each("add")) {
      if (capability.is("CAP_SYS_ADMIN")) {
        context.invalid(
            GoStructs.SECURITY_CONTEXT.of(context.tree()),
            "cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN");
      }
    }
  }

  private static void ids(List<Cursor> ids) {
    ids.forEach(id -> id.inRange(0, Integer.MAX_VALUE));
  }

  private void sysctls(List<Cursor> sysctls) {
    var names = new HashSet<String>();
    for (var sysctl : sysctls) {
      var field = sysctl.at("name");
      var name = field.text();
      if (name.isEmpty()) {
        field.missing();
      } else if (Names.bytes(name) > MAX_SYSCTL || !SYSCTL.matcher(name).matches()) {
        field.invalid(
            "must have at most %d characters and match regex %s".formatted(MAX_SYSCTL, SYSCTL));
      } else if (names.contains(name)) {
        field.duplicate();
      }
      hostSysctl(field);
      names.add(name);
    }
  }

  private void hostSysctl(Cursor name) {
    var dotted = name.text().replace('/', '.');
    if (spec.flag("hostNetwork") && dotted.startsWith("net.")) {
      name.invalid("may not be specified when 'hostNetwork' is true");
    } else if (spec.flag("hostIPC")
        && (dotted.startsWith("fs.mqueue.")
            || dotted.startsWith("kernel.shm")
            || dotted.startsWith("kernel.msg")
            || dotted.equals("kernel.sem"))) {
      name.invalid("may not be specified when 'hostIPC' is true");
    }
  }

  private static void seccomp(Cursor profile) {
    var type = profile.at("type");
    type.required("type is required when seccompProfile is set").supported();
    var localhost = profile.at("localhostProfile");
    if (!type.is("Localhost")) {
      localhost
          .ifSet()
          .invalid(
              Tree.of("Type", type.text(), "LocalhostProfile", localhost.text()),
              "can only be set when seccomp type is Localhost");
    } else if (localhost.isSet()) {
      Checks.descendingPath(localhost);
    } else {
      localhost.missing("must be set when seccomp type is Localhost");
    }
  }

  private static void appArmor(Cursor profile) {
    var localhost = profile.at("localhostProfile");
    switch (profile.text("type")) {
      case "Localhost" -> localAppArmor(localhost);
      case "RuntimeDefault", "Unconfined" ->
          localhost.ifSet().invalid("can only be set when AppArmor type is Localhost");
      case "" -> profile.at("type").missing("type is required when appArmorProfile is set");
      default -> profile.at("type").supported();
    }
  }

  private static void localAppArmor(Cursor profile) {
    if (!profile.text().equals(profile.text().strip())) {
      profile.invalid("must not be padded with whitespace");
    } else {
      profile.required("must be set when AppArmor type is Localhost");
    }
    profile.atMostBytes(MAX_PROFILE);
  }

  void hostUsers() {
    if (!isFalse(spec.at("hostUsers"))) {
      return;
    }
    // As in Kubernetes, which spells two of them as Go does.
    forbidFlag("hostNetwork", "hostNetwork");
    forbidFlag("hostPID", "HostPID");
    forbidFlag("hostIPC", "HostIPC");
    for (var container : Containers.all(spec)) {
      container.at("volumeDevices").ifFilled().forbidden(NOT_FOR_OWN_USERS);
    }
  }

  private void forbidFlag(String field, String shown) {
    if (spec.flag(field)) {
      spec.at(shown).forbidden(NOT_FOR_OWN_USERS);
    }
  }

  void operatingSystem() {
    var os = spec.at("os").ifSet();
    switch (os.text("name")) {
      case "" -> os.at("name").missing();
      case "linux" -> linux();
      case "windows" -> windows();
      default -> os.notSupported(os.text("name"), List.of("linux", "windows"));
    }
  }

  private void linux() {
    var message = "windows options cannot be set for a linux pod";
    spec.at("securityContext").forbidden(message, "windowsOptions");
    for (var container : Containers.all(spec)) {
      container.at("securityContext").forbidden(message, "windowsOptions");
    }
  }

  private void windows() {
    spec.at("securityContext")
        .forbidden(
            NOT_ON_WINDOWS,
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
    spec.forbidden(NOT_ON_WINDOWS, "hostUsers");
    for (var field : spec.fields("hostPID", "hostIPC")) {
      if (field.flag()) {
        field.forbidden(NOT_ON_WINDOWS);
      }
    }
    spec.forbidden(NOT_ON_WINDOWS, "shareProcessNamespace");
    for (var container : Containers.all(spec)) {
      container
          .at("securityContext")
          .forbidden(
              NOT_ON_WINDOWS,
              "appArmorProfile",
              "seLinuxOptions",
              "seccompProfile",
              "capabilities",
              "readOnlyRootFilesystem",
              "privileged",
              "allowPrivilegeEscalation",
              "procMount",
              "runAsUser",
              "runAsGroup");
    }
  }
}
