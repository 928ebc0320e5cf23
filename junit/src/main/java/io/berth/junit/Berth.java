package io.berth.junit;

/// Clusters for tests, without JUnit.
///
/// ```java
/// try (var cluster = Berth.cluster("{count: 6, zones: [a, b, c]}")) {
///   cluster.apply(Path.of("web.yaml"));
///   cluster.step("lose: {zone: b}");
///   cluster.check("nothingPending: {}");
/// }
/// ```
public final class Berth {

  private Berth() {}

  /// A cluster without nodes.
  public static TestCluster cluster() {
    return new TestCluster();
  }

  /// A cluster with a fleet: the `spec` of a NodeFleet, in YAML.
  public static TestCluster cluster(String fleet) {
    var cluster = new TestCluster();
    try {
      cluster.step("fleet: " + fleet);
      return cluster;
    } catch (RuntimeException e) {
      cluster.close();
      throw e;
    }
  }
}
