package io.berth.codec;

/// A field of an object that holds something it cannot: where, and what is wrong with it.
public final class FieldException extends IllegalArgumentException {

  private static final long serialVersionUID = 1;

  private final String path;

  public FieldException(String path, String problem) {
    super(path + ": " + problem);
    this.path = path;
  }

  /// The field, as Kubernetes writes it: `spec.containers[0].resources.requests[cpu]`.
  public String path() {
    return path;
  }
}
