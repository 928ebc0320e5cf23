package io.berth.engine.rule.spread;

import io.berth.api.LabelSyntax;
import io.berth.api.TopologySpreadConstraint;
import io.berth.engine.rule.Args;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/// The arguments of PodTopologySpread: the constraints of pods that have none. `systemDefaults`
/// stands for Kubernetes' built-in ones.
///
/// Mirrors: apis/config/validation.ValidatePodTopologySpreadArgs
public record PodTopologySpreadArgs(
    List<TopologySpreadConstraint> defaultConstraints, boolean systemDefaults) {

  private static final String WHEN = "whenUnsatisfiable";
  private static final List<String> ACTIONS =
      List.of(TopologySpreadConstraint.DO_NOT_SCHEDULE, TopologySpreadConstraint.SCHEDULE_ANYWAY);

  public PodTopologySpreadArgs {
    defaultConstraints = List.copyOf(defaultConstraints);
  }

  public static PodTopologySpreadArgs read(Args args) {
    var given = args.text("defaultingType");
    var type = given.isEmpty() ? "System" : given;
    var written = args.objects("defaultConstraints");
    boolean system = type.equals("System");
    args.checkOneOf("defaultingType", type, List.of("System", "List"));
    args.check(
        !system || written.isEmpty(),
        "defaultingType",
        type,
        "when .defaultConstraints are not empty");
    var pairs = new HashSet<String>();
    var constraints = new ArrayList<TopologySpreadConstraint>();
    for (var each : written) {
      var constraint = constraint(each);
      constraints.add(constraint);
      var pair = "{" + constraint.topologyKey() + ", " + constraint.whenUnsatisfiable() + "}";
      if (!pairs.add(pair)) {
        each.wrong("", "Duplicate value: \"" + pair + "\"");
      }
    }
    return new PodTopologySpreadArgs(constraints, system);
  }

  private static TopologySpreadConstraint constraint(Args written) {
    int maxSkew = written.integer("maxSkew", 0);
    written.check(maxSkew > 0, "maxSkew", maxSkew, "not in valid range (0, inf)");
    var key = written.text("topologyKey");
    checkKey(written, key);
    var when = written.text(WHEN);
    if (when.isEmpty()) {
      written.wrong(WHEN, "Required value: can not be empty");
    } else {
      written.checkOneOf(WHEN, when, ACTIONS);
    }
    if (written.has("labelSelector")) {
      written.wrong(
          "labelSelector",
          "Forbidden: constraint must not define a selector, as they deduced for each pod");
    }
    return new TopologySpreadConstraint(
        maxSkew,
        key,
        when,
        null,
        written.integer("minDomains", 1),
        !written.text("nodeAffinityPolicy").equals("Ignore"),
        written.text("nodeTaintsPolicy").equals("Honor"),
        written.texts("matchLabelKeys"));
  }

  private static void checkKey(Args written, String key) {
    if (key.isEmpty()) {
      written.wrong("topologyKey", "Required value: can not be empty");
    } else {
      LabelSyntax.problemsWithKey(key)
          .forEach(problem -> written.check(false, "topologyKey", key, problem));
    }
  }
}
