package io.berth.engine;

/// How final a rejection is, in Kubernetes' terms.
public enum Code {
  /// Evicting other pods may help.
  UNSCHEDULABLE("Unschedulable"),
  /// Evicting other pods cannot help.
  UNRESOLVABLE("UnschedulableAndUnresolvable"),
  /// The rule cannot say: something it must read is broken.
  ERROR("Error");

  private final String text;

  Code(String text) {
    this.text = text;
  }

  /// As Kubernetes writes it.
  @Override
  public String toString() {
    return text;
  }
}
