package io.berth.engine.rule;

/// A decision cannot be taken because of what the pod, or an object it names, says; the cycle ends
/// with an error, as in Kubernetes.
public final class CycleException extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final String plugin;
  private final String problem;

  private CycleException(String where, String plugin, String problem) {
    super(where + ": " + problem);
    this.plugin = plugin;
    this.problem = problem;
  }

  public static CycleException preFilter(String plugin, String problem) {
    return new CycleException("running PreFilter plugin \"%s\"".formatted(plugin), plugin, problem);
  }

  public static CycleException filter(String plugin, String problem) {
    return new CycleException("running \"%s\" filter plugin".formatted(plugin), plugin, problem);
  }

  public static CycleException preScore(String plugin, String problem) {
    return new CycleException("running PreScore plugin \"%s\"".formatted(plugin), plugin, problem);
  }

  public String plugin() {
    return plugin;
  }

  /// What is wrong, without where it was found.
  public String problem() {
    return problem;
  }

  @Override
  public String getMessage() {
    return String.valueOf(super.getMessage());
  }
}
