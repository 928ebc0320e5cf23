package io.berth.answers.source;

/// Where an object was found: a file and the line it begins in (from 1), or a cluster.
public record Origin(String file, int line) {

  /// Objects that an API server has accepted, with all that it fills in.
  public static final Origin CLUSTER = new Origin("", 0);

  public boolean isCluster() {
    return file.isEmpty();
  }

  /// `web.yaml:12`, as compilers say it; `cluster` for objects of one.
  @Override
  public String toString() {
    return isCluster() ? "cluster" : file + ":" + line;
  }
}
