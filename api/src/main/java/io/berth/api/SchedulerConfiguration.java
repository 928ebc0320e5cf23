package io.berth.api;

import java.util.List;

/// `KubeSchedulerConfiguration` of `kubescheduler.config.k8s.io/v1`, with its defaults filled in.
///
/// `percentageOfNodesToScore` is accepted and checked; Berth always looks at every node.
public record SchedulerConfiguration(
    int parallelism,
    int percentageOfNodesToScore,
    int podInitialBackoffSeconds,
    int podMaxBackoffSeconds,
    List<SchedulerProfile> profiles,
    LeaderElection leaderElection,
    List<ExtenderConfiguration> extenders) {

  public static final SchedulerConfiguration DEFAULT =
      new SchedulerConfiguration(
          16, 0, 1, 10, List.of(SchedulerProfile.DEFAULT), LeaderElection.DEFAULT, List.of());

  public SchedulerConfiguration {
    profiles = List.copyOf(profiles);
    extenders = List.copyOf(extenders);
  }

  /// The same for pods of one other scheduler name; for a configuration with one profile.
  public SchedulerConfiguration withSchedulerName(String name) {
    var profile = profiles.getFirst();
    return new SchedulerConfiguration(
        parallelism,
        percentageOfNodesToScore,
        podInitialBackoffSeconds,
        podMaxBackoffSeconds,
        List.of(
            new SchedulerProfile(
                name, profile.plugins(), profile.pluginConfig(), profile.ignoredResources())),
        leaderElection,
        extenders);
  }

  /// The same, with or without the wait for the lead.
  public SchedulerConfiguration withLeaderElection(boolean elect) {
    return new SchedulerConfiguration(
        parallelism,
        percentageOfNodesToScore,
        podInitialBackoffSeconds,
        podMaxBackoffSeconds,
        profiles,
        leaderElection.when(elect),
        extenders);
  }

  /// Who leads when several schedulers run; durations as in the configuration, in milliseconds.
  public record LeaderElection(
      boolean leaderElect,
      long leaseDurationMillis,
      long renewDeadlineMillis,
      long retryPeriodMillis,
      String resourceNamespace,
      String resourceName) {

    public static final LeaderElection DEFAULT =
        new LeaderElection(true, 15_000, 10_000, 2_000, "kube-system", "kube-scheduler");

    LeaderElection when(boolean elect) {
      return new LeaderElection(
          elect,
          leaseDurationMillis,
          renewDeadlineMillis,
          retryPeriodMillis,
          resourceNamespace,
          resourceName);
    }
  }
}
