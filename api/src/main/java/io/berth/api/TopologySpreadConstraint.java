package io.berth.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// How evenly pods are to be spread over the values of a node label.
public record TopologySpreadConstraint(
    int maxSkew,
    String topologyKey,
    String whenUnsatisfiable,
    @Nullable LabelSelector labelSelector,
    int minDomains,
    boolean honorNodeAffinity,
    boolean honorNodeTaints,
    List<String> matchLabelKeys) {

  public static final String DO_NOT_SCHEDULE = "DoNotSchedule";
  public static final String SCHEDULE_ANYWAY = "ScheduleAnyway";

  public TopologySpreadConstraint {
    matchLabelKeys = List.copyOf(matchLabelKeys);
  }

  public boolean isHard() {
    return whenUnsatisfiable.equals(DO_NOT_SCHEDULE);
  }
}
