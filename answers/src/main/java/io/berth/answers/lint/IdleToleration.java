package io.berth.answers.lint;

import io.berth.api.Taint;
import io.berth.api.Toleration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;

/// Tolerations of taints that no node has. Those that Kubernetes puts on nodes by itself come and
/// go, and are not asked for.
final class IdleToleration implements LintRule {

  private static final List<String> COMING_AND_GOING =
      List.of("node.kubernetes.io/", "node.cloudprovider.kubernetes.io/");

  @Override
  public String id() {
    return "idle-toleration";
  }

  @Override
  public String summary() {
    return "a toleration of a taint that no node has";
  }

  @Override
  public List<Complaint> check(LintedPod linted, LintInput input) {
    var complaints = new ArrayList<Complaint>();
    if (input.nodes().isEmpty()) {
      return complaints;
    }
    var taints = new LinkedHashSet<Taint>();
    input.nodes().forEach(node -> taints.addAll(node.taints()));
    var tolerations = linted.pod().spec().tolerations();
    for (int i = 0; i < tolerations.size(); i++) {
      var toleration = tolerations.get(i);
      if (!isForAny(toleration) && taints.stream().noneMatch(toleration::tolerates)) {
        complaints.add(complaint(linted, i, toleration, taints));
      }
    }
    return complaints;
  }

  private static boolean isForAny(Toleration toleration) {
    return toleration.key().isEmpty()
        || COMING_AND_GOING.stream().anyMatch(toleration.key()::startsWith);
  }

  private static Complaint complaint(
      LintedPod linted, int index, Toleration toleration, Iterable<Taint> taints) {
    for (var taint : taints) {
      if (taint.key().equals(toleration.key())) {
        return new Complaint(
            linted,
            Severity.WARNING,
            "spec.tolerations[" + index + "]",
            "tolerates %s, but the taint is %s".formatted(shown(toleration), shown(taint)),
            "write operator: Exists without a value, or the value and effect of the taint");
      }
    }
    return new Complaint(
        linted,
        Severity.WARNING,
        "spec.tolerations[" + index + "]",
        "no node has a taint %s".formatted(shown(toleration)),
        "remove it, or compare its key with the taints of the nodes it is for");
  }

  private static String shown(Toleration toleration) {
    boolean exists = toleration.operator().equals("Exists");
    return toleration.key()
        + (exists ? "" : "=" + toleration.value())
        + (toleration.effect().isEmpty() ? "" : ":" + toleration.effect());
  }

  private static String shown(Taint taint) {
    return taint.key()
        + (taint.value().isEmpty() ? "" : "=" + taint.value())
        + ":"
        + taint.effect();
  }
}
