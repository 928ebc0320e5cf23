package io.berth.admission.podsecurity;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/// The rules of each level. Restricted has its own, and those of baseline that it does not tighten.
final class Checks {

  private static final List<Check> BASELINE =
      List.of(
          new Check("appArmorProfile", 0, Baseline::appArmorProfile),
          new Check("capabilities_baseline", 0, Baseline::capabilities),
          new Check("hostNamespaces", 0, Baseline::hostNamespaces),
          new Check("hostPathVolumes", 0, Baseline::hostPathVolumes),
          new Check("hostPorts", 0, Baseline::hostPorts),
          new Check("hostProbesAndHostLifecycle", 34, Baseline::hostProbes),
          new Check("privileged", 0, Baseline::privileged),
          new Check("procMount", 0, Baseline::procMount),
          new Check("seLinuxOptions", 0, Baseline::seLinuxOptions),
          new Check("seccompProfile_baseline", 19, Baseline::seccompProfile),
          new Check("sysctls", 0, Baseline::sysctls),
          new Check("windowsHostProcess", 0, Baseline::windowsHostProcess));

  private static final List<Check> RESTRICTED =
      List.of(
          new Check("allowPrivilegeEscalation", 8, Restricted::allowPrivilegeEscalation),
          new Check("capabilities_restricted", 22, Restricted::capabilities),
          new Check("restrictedVolumes", 0, Restricted::volumes),
          new Check("runAsNonRoot", 0, Restricted::runAsNonRoot),
          new Check("runAsUser", 23, Restricted::runAsUser),
          new Check("seccompProfile_restricted", 19, Restricted::seccompProfile));

  private static final Set<String> TIGHTENED =
      Set.of("capabilities_baseline", "hostPathVolumes", "seccompProfile_baseline");

  private Checks() {}

  static List<Check> of(Level level) {
    var checks = new ArrayList<Check>();
    if (!level.name().equals("privileged")) {
      checks.addAll(BASELINE);
    }
    if (level.name().equals("restricted")) {
      checks.removeIf(check -> TIGHTENED.contains(check.id()));
      checks.addAll(RESTRICTED);
    }
    checks.removeIf(check -> check.since() > level.minor());
    checks.sort(Comparator.comparing(Check::id));
    return checks;
  }
}
