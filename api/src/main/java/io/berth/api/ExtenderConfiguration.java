package io.berth.api;

import java.util.List;

/// One of the `extenders` of a scheduler configuration: a program that has a say in placing pods.
///
/// Verbs that it does not have are empty.
public record ExtenderConfiguration(
    String urlPrefix,
    String filterVerb,
    String preemptVerb,
    String prioritizeVerb,
    long weight,
    String bindVerb,
    boolean enableHttps,
    Tls tls,
    long timeoutMillis,
    boolean nodeCacheCapable,
    List<ManagedResource> managedResources,
    boolean ignorable) {

  public ExtenderConfiguration {
    managedResources = List.copyOf(managedResources);
  }

  /// A resource that the extender hands out; `ignoredByScheduler` takes it out of our own sums.
  public record ManagedResource(String name, boolean ignoredByScheduler) {}

  /// Certificates as files or as PEM text; both empty where there is none.
  public record Tls(
      boolean insecure,
      String serverName,
      String certFile,
      String keyFile,
      String caFile,
      String certData,
      String keyData,
      String caData) {}
}
