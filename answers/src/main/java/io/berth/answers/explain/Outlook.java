package io.berth.answers.explain;

/// How it stands with a pod.
public enum Outlook {
  /// A node would take it now.
  FITS("fits"),
  /// It has a node.
  BOUND("bound"),
  /// It has scheduling gates, and is not looked at before they are gone.
  GATED("gated"),
  /// No scheduler goes by the name it asks for.
  UNSERVED("unserved"),
  /// The cycle ends in an error.
  FAILED("failed"),
  /// No node takes it whatever pods come or go, even if all nodes were ready and open.
  NEVER("never"),
  /// No node takes it now.
  NOT_NOW("notNow");

  private final String text;

  Outlook(String text) {
    this.text = text;
  }

  /// As answers write it.
  @Override
  public String toString() {
    return text;
  }
}
