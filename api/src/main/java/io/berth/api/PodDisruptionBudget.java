package io.berth.api;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/// How many of the selected pods may be disrupted now. `disruptedPods` are already on their way
/// out.
public record PodDisruptionBudget(
    String namespace,
    String name,
    @Nullable LabelSelector selector,
    int disruptionsAllowed,
    Set<String> disruptedPods)
    implements Surrounding {

  public static final String KIND = "PodDisruptionBudget";

  public PodDisruptionBudget {
    disruptedPods = Set.copyOf(disruptedPods);
  }

  @Override
  public String kind() {
    return KIND;
  }
}
