package io.berth.admission.podsecurity;

import static io.berth.admission.podsecurity.Words.containerList;
import static io.berth.admission.podsecurity.Words.containers;
import static io.berth.admission.podsecurity.Words.containersWhose;
import static io.berth.admission.podsecurity.Words.plural;
import static io.berth.admission.podsecurity.Words.quoted;

import io.berth.admission.podsecurity.Level.Violation;
import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// Rules against known ways of escalating privileges.
final class Baseline {

  private static final String APP_ARMOR = "container.apparmor.security.beta.kubernetes.io/";

  private static final Set<String> CAPABILITIES =
      Set.of(
          "AUDIT_WRITE",
          "CHOWN",
          "DAC_OVERRIDE",
          "FOWNER",
          "FSETID",
          "KILL",
          "MKNOD",
          "NET_BIND_SERVICE",
          "SETFCAP",
          "SETGID",
          "SETPCAP",
          "SETUID",
          "SYS_CHROOT");

  private static final Set<String> SELINUX_TYPES =
      Set.of("", "container_t", "container_init_t", "container_kvm_t", "container_engine_t");

  private static final Set<String> SYSCTLS =
      Set.of(
          "kernel.shm_rmid_forced",
          "net.ipv4.ip_local_port_range",
          "net.ipv4.ip_local_reserved_ports",
          "net.ipv4.ip_unprivileged_port_start",
          "net.ipv4.ping_group_range",
          "net.ipv4.tcp_fin_timeout",
          "net.ipv4.tcp_keepalive_intvl",
          "net.ipv4.tcp_keepalive_probes",
          "net.ipv4.tcp_keepalive_time",
          "net.ipv4.tcp_rmem",
          "net.ipv4.tcp_syncookies",
          "net.ipv4.tcp_wmem");

  private Baseline() {}

  static Optional<Violation> appArmorProfile(Tree pod) {
    var setters = new ArrayList<String>();
    var values = new TreeSet<String>();
    if (badAppArmor(pod.treeOrEmpty("spec", "securityContext"), values)) {
      setters.add("pod");
    }
    var bad = containersWhose(pod, context -> badAppArmor(context, values));
    if (!bad.isEmpty()) {
      setters.add(containerList(bad));
    }
    var annotations = new TreeMap<>(pod.texts("metadata", "annotations"));
    annotations.entrySet().removeIf(entry -> !entry.getKey().startsWith(APP_ARMOR));
    annotations.values().removeIf(Baseline::isAllowedAppArmor);
    var said = new ArrayList<String>();
    if (!setters.isEmpty()) {
      said.add(
          "%s must not set AppArmor profile type to %s"
              .formatted(String.join(" and ", setters), quoted(values)));
    }
    if (!annotations.isEmpty()) {
      annotations.forEach((key, value) -> said.add("%s=\"%s\"".formatted(key, value)));
    }
    int count = values.size() + annotations.size();
    return said.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Violation(
                plural("forbidden AppArmor profile", "forbidden AppArmor profiles", count),
                String.join(", ", said)));
  }

  private static boolean badAppArmor(Tree context, Set<String> values) {
    var type = context.text("appArmorProfile", "type");
    if (type == null || type.equals("RuntimeDefault") || type.equals("Localhost")) {
      return false;
    }
    values.add(type);
    return true;
  }

  private static boolean isAllowedAppArmor(String profile) {
    return profile.isEmpty()
        || profile.equals("runtime/default")
        || profile.startsWith("localhost/");
  }

  static Optional<Violation> capabilities(Tree pod) {
    var added = new TreeSet<String>();
    var bad =
        containersWhose(
            pod,
            context -> {
              boolean beyond = false;
              for (var capability : context.list("capabilities", "add")) {
                if (!CAPABILITIES.contains(String.valueOf(capability))) {
                  added.add(String.valueOf(capability));
                  beyond = true;
                }
              }
              return beyond;
            });
    return bad.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Violation(
                "non-default capabilities",
                "%s must not include %s in securityContext.capabilities.add"
                    .formatted(containerList(bad), quoted(added))));
  }

  static Optional<Violation> hostNamespaces(Tree pod) {
    var used = new ArrayList<String>();
    for (var field : List.of("hostNetwork", "hostPID", "hostIPC")) {
      if (pod.flag("spec", field)) {
        used.add(field + "=true");
      }
    }
    return used.isEmpty()
        ? Optional.empty()
        : Optional.of(new Violation("host namespaces", String.join(", ", used)));
  }

  static Optional<Violation> hostPathVolumes(Tree pod) {
    var names =
        pod.trees("spec", "volumes").stream()
            .filter(volume -> volume.has("hostPath"))
            .map(volume -> volume.textOrEmpty("name"))
            .toList();
    return names.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Violation(
                "hostPath volumes",
                plural("volume", "volumes", names.size()) + " " + quoted(names)));
  }

  static Optional<Violation> hostPorts(Tree pod) {
    var bad = new ArrayList<String>();
    var ports = new TreeSet<String>();
    for (var container : containers(pod)) {
      boolean uses = false;
      for (var port : container.trees("ports")) {
        long number = port.number(0, "hostPort");
        if (number != 0) {
          ports.add(Long.toString(number));
          uses = true;
        }
      }
      if (uses) {
        bad.add(container.textOrEmpty("name"));
      }
    }
    return bad.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Violation(
                "hostPort",
                "%s %s %s %s"
                    .formatted(
                        containerList(bad),
                        plural("uses", "use", bad.size()),
                        plural("hostPort", "hostPorts", ports.size()),
                        String.join(", ", ports))));
  }

  static Optional<Violation> hostProbes(Tree pod) {
    var bad = new TreeSet<String>();
    var hosts = new TreeSet<String>();
    for (var container : containers(pod)) {
      var handlers = new ArrayList<Tree>();
      for (var probe : List.of("livenessProbe", "readinessProbe", "startupProbe")) {
        handlers.add(container.treeOrEmpty(probe));
      }
      handlers.add(container.treeOrEmpty("lifecycle", "postStart"));
      handlers.add(container.treeOrEmpty("lifecycle", "preStop"));
      for (var handler : handlers) {
        for (var type : List.of("httpGet", "tcpSocket")) {
          var host = handler.textOrEmpty(type, "host");
          if (!host.isEmpty()) {
            hosts.add(host);
            bad.add(container.textOrEmpty("name"));
          }
        }
      }
    }
    var what = "probe or lifecycle host";
    return bad.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Violation(
                what,
                "%s %s %s %s"
                    .formatted(
                        containerList(bad),
                        plural("uses", "use", bad.size()),
                        plural(what, what + "s", hosts.size()),
                        quoted(hosts))));
  }

  static Optional<Violation> privileged(Tree pod) {
    var bad = containersWhose(pod, context -> context.flag("privileged"));
    return bad.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Violation(
                "privileged",
                containerList(bad) + " must not set securityContext.privileged=true"));
  }

  static Optional<Violation> procMount(Tree pod) {
    if (Words.hasOwnUsers(pod)) {
      return Optional.empty();
    }
    var values = new TreeSet<String>();
    var bad =
        containersWhose(
            pod,
            context -> {
              var mount = context.text("procMount");
              boolean unusual = mount != null && !mount.equals("Default");
              if (unusual) {
                values.add(mount);
              }
              return unusual;
            });
    return bad.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Violation(
                "procMount",
                "%s must not set securityContext.procMount to %s"
                    .formatted(containerList(bad), quoted(values))));
  }

  static Optional<Violation> seLinuxOptions(Tree pod) {
    var found = new SeLinuxOptions();
    var setters = new ArrayList<String>();
    if (found.isBad(pod.treeOrEmpty("spec", "securityContext"))) {
      setters.add("pod");
    }
    var bad = containersWhose(pod, found::isBad);
    if (!bad.isEmpty()) {
      setters.add(containerList(bad));
    }
    return setters.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Violation(
                "seLinuxOptions",
                "%s set forbidden securityContext.seLinuxOptions: %s"
                    .formatted(String.join(" and ", setters), found)));
  }

  /// Collects what is wrong with the options seen so far.
  private static final class SeLinuxOptions {

    private final Set<String> types = new TreeSet<>();
    private boolean user;
    private boolean role;

    boolean isBad(Tree context) {
      var options = context.treeOrEmpty("seLinuxOptions");
      var type = options.textOrEmpty("type");
      boolean badType = !SELINUX_TYPES.contains(type);
      if (badType) {
        types.add(type);
      }
      boolean badUser = !options.textOrEmpty("user").isEmpty();
      boolean badRole = !options.textOrEmpty("role").isEmpty();
      user |= badUser;
      role |= badRole;
      return badType || badUser || badRole;
    }

    @Override
    public String toString() {
      var said = new ArrayList<String>();
      if (!types.isEmpty()) {
        said.add(plural("type", "types", types.size()) + " " + quoted(types));
      }
      if (user) {
        said.add("user may not be set");
      }
      if (role) {
        said.add("role may not be set");
      }
      return String.join("; ", said);
    }
  }

  static Optional<Violation> seccompProfile(Tree pod) {
    var values = new TreeSet<String>();
    var setters = new ArrayList<String>();
    if (Restricted.setsBadSeccomp(pod.treeOrEmpty("spec", "securityContext"), values)) {
      setters.add("pod");
    }
    var bad = containersWhose(pod, context -> Restricted.setsBadSeccomp(context, values));
    if (!bad.isEmpty()) {
      setters.add(containerList(bad));
    }
    return Restricted.badSeccomp(setters, values);
  }

  static Optional<Violation> sysctls(Tree pod) {
    var forbidden =
        pod.trees("spec", "securityContext", "sysctls").stream()
            .map(sysctl -> sysctl.textOrEmpty("name"))
            .filter(name -> !SYSCTLS.contains(name))
            .toList();
    return forbidden.isEmpty()
        ? Optional.empty()
        : Optional.of(new Violation("forbidden sysctls", String.join(", ", forbidden)));
  }

  static Optional<Violation> windowsHostProcess(Tree pod) {
    var setters = new ArrayList<String>();
    if (pod.flag("spec", "securityContext", "windowsOptions", "hostProcess")) {
      setters.add("pod");
    }
    var bad = containersWhose(pod, context -> context.flag("windowsOptions", "hostProcess"));
    if (!bad.isEmpty()) {
      setters.add(containerList(bad));
    }
    return setters.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Violation(
                "hostProcess",
                "%s must not set securityContext.windowsOptions.hostProcess=true"
                    .formatted(String.join(" and ", setters))));
  }
}
