package io.berth.api;

/// A mark on a node that keeps pods away unless they tolerate it.
///
/// `effect` is Kubernetes' word (`NoSchedule`, `PreferNoSchedule`, `NoExecute`); unknown effects
/// repel nobody.
public record Taint(String key, String value, String effect) {

  public static final String NO_SCHEDULE = "NoSchedule";
  public static final String PREFER_NO_SCHEDULE = "PreferNoSchedule";
  public static final String NO_EXECUTE = "NoExecute";

  public static Taint of(Tree taint) {
    return new Taint(
        taint.textOrEmpty("key"), taint.textOrEmpty("value"), taint.textOrEmpty("effect"));
  }

  /// Whether a pod that does not tolerate this taint must not be placed here.
  public boolean repels() {
    return effect.equals(NO_SCHEDULE) || effect.equals(NO_EXECUTE);
  }
}
