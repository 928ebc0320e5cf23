package io.berth.answers.remedy;

import io.berth.api.TopologySpreadConstraint;
import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.List;

/// A hard constraint on spread may allow more skew, become soft, or go.
final class SpreadConstraints {

  private static final String FIELD = "topologySpreadConstraints";

  private SpreadConstraints() {}

  static List<Family> find(Question question) {
    var families = new ArrayList<Family>();
    var constraints = question.spec().trees(FIELD);
    for (int i = 0; i < constraints.size(); i++) {
      var constraint = constraints.get(i);
      if (constraint.textOrEmpty("whenUnsatisfiable").equals("DoNotSchedule")) {
        int place = i;
        long skew = constraint.number(1, "maxSkew");
        var key = constraint.textOrEmpty("topologyKey");
        // No domain can hold more than all pods there are.
        int most = question.survey().pods().size() + 1;
        families.add(
            new Family(
                most, more -> new Widen(place, key, Math.min(Integer.MAX_VALUE, skew + 1 + more))));
        families.add(Family.of(List.of(new Soften(i, key))));
        families.add(Family.of(List.of(new Drop(i, key))));
      }
    }
    return families;
  }

  /// More skew is allowed.
  record Widen(int index, String key, long maxSkew) implements Remedy.OfPod {

    @Override
    public String what() {
      return "maxSkew %d over %s".formatted(maxSkew, key);
    }

    @Override
    public boolean edit(Tree spec) {
      var constraints = spec.trees(FIELD);
      if (index >= constraints.size()) {
        return false;
      }
      constraints.get(index).put("maxSkew", maxSkew);
      return true;
    }
  }

  /// `DoNotSchedule` becomes `ScheduleAnyway`, which knows no least number of domains.
  record Soften(int index, String key) implements Remedy.OfPod {

    @Override
    public String what() {
      return "only prefer spread over " + key;
    }

    @Override
    public boolean edit(Tree spec) {
      var constraints = spec.trees(FIELD);
      if (index >= constraints.size()) {
        return false;
      }
      var constraint = constraints.get(index);
      constraint.put("whenUnsatisfiable", TopologySpreadConstraint.SCHEDULE_ANYWAY);
      constraint.remove("minDomains");
      return true;
    }
  }

  /// The constraint goes.
  record Drop(int index, String key) implements Remedy.OfPod {

    @Override
    public String what() {
      return "drop spread over " + key;
    }

    @Override
    public int loss() {
      return 1;
    }

    @Override
    public boolean edit(Tree spec) {
      if (index >= spec.trees(FIELD).size()) {
        return false;
      }
      var constraints = spec.childList(FIELD);
      constraints.remove(index);
      if (constraints.isEmpty()) {
        spec.remove(FIELD);
      }
      return true;
    }
  }
}
