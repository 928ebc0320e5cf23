package io.berth.answers.source;

/// Where an object was found: a file and the line its document begins in (from 1), or a cluster.
///
/// `within` leads from the document to the object: `items[3].` for one of a list, else `""`.
public record Origin(String file, int line, String within) {

  /// Objects that an API server has accepted, with all that it fills in.
  public static final Origin CLUSTER = new Origin("", 0);

  public Origin(String file, int line) {
    this(file, line, "");
  }

  Origin item(int index) {
    return new Origin(file, line, within + "items[" + index + "].");
  }

  public boolean isCluster() {
    return file.isEmpty();
  }

  /// `web.yaml:12`, as compilers say it; `cluster` for objects of one.
  @Override
  public String toString() {
    return isCluster() ? "cluster" : file + ":" + line;
  }
}
