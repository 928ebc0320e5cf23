package io.berth.engine.model;

/// One pod on a node, or on its way there.
public final class RunningPod {

  final String namespace;
  final String name;
  final String uid;
  final String nodeName;
  Shape shape;
  int node;
  long startNanos;
  boolean assumed;

  RunningPod(
      String namespace,
      String name,
      String uid,
      String nodeName,
      Shape shape,
      int node,
      long startNanos) {
    this.namespace = namespace;
    this.name = name;
    this.uid = uid;
    this.nodeName = nodeName;
    this.shape = shape;
    this.node = node;
    this.startNanos = startNanos;
  }

  public String namespace() {
    return namespace;
  }

  public String name() {
    return name;
  }

  public String uid() {
    return uid;
  }

  public String key() {
    return namespace + "/" + name;
  }

  public Shape shape() {
    return shape;
  }

  public int priority() {
    return shape.priority();
  }

  /// When the pod started, in nanoseconds of the epoch; pods that have not started sort last.
  public long startNanos() {
    return startNanos;
  }

  public String nodeName() {
    return nodeName;
  }

  /// The index of the node it counts on.
  public int node() {
    return node;
  }
}
