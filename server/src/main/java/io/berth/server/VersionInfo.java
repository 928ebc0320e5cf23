package io.berth.server;

import io.berth.api.Tree;

/// What `/version` says: the Kubernetes whose API this is.
final class VersionInfo {

  static final String VERSION = "v1.37.1";

  private VersionInfo() {}

  static Tree tree() {
    return Tree.of(
        "major", "1",
        "minor", "37",
        "emulationMajor", "1",
        "emulationMinor", "37",
        "minCompatibilityMajor", "1",
        "minCompatibilityMinor", "36",
        "gitVersion", VERSION,
        // What a Kubernetes built from its module says: clients compare none of it.
        "gitCommit", "$Format:%H$",
        "gitTreeState", "",
        "buildDate", "1970-01-01T00:00:00Z",
        "goVersion", "go1.26.8",
        "compiler", "gc",
        "platform", "linux/amd64");
  }
}
