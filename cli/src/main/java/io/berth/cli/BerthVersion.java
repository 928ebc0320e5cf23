package io.berth.cli;

/// Which Berth this is, and which Kubernetes it speaks.
public final class BerthVersion {

  /// The Kubernetes version whose API, rules and messages Berth reproduces.
  public static final String KUBERNETES = "v1.37.1";

  private BerthVersion() {}

  public static String current() {
    var version = BerthVersion.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }
}
