package io.berth.schema.apply;

import io.berth.api.Tree;

/// Who writes: a name, how, in which API version, through which subresource (`""` for none).
///
/// Appliers are the same manager in every version; updaters are one per version, as in Kubernetes.
record Manager(String name, Operation operation, String apiVersion, String subresource)
    implements Comparable<Manager> {

  enum Operation {
    APPLY("Apply"),
    UPDATE("Update");

    private final String text;

    Operation(String text) {
      this.text = text;
    }

    @Override
    public String toString() {
      return text;
    }
  }

  static Manager applier(String name, String subresource) {
    return new Manager(name.isEmpty() ? "unknown" : name, Operation.APPLY, "", subresource);
  }

  static Manager updater(String name, String apiVersion, String subresource) {
    return new Manager(
        name.isEmpty() ? "unknown" : name, Operation.UPDATE, apiVersion, subresource);
  }

  /// The manager of a `managedFields` entry.
  static Manager of(Tree entry) {
    var name = entry.textOrEmpty("manager");
    var subresource = entry.textOrEmpty("subresource");
    return entry.textOrEmpty("operation").equals(Operation.APPLY.text)
        ? new Manager(name, Operation.APPLY, "", subresource)
        : new Manager(name, Operation.UPDATE, entry.textOrEmpty("apiVersion"), subresource);
  }

  /// As conflicts name it: `"hpa" with subresource "scale" using apps/v1`.
  String shown() {
    var text = new StringBuilder("\"").append(name).append('"');
    if (!subresource.isEmpty()) {
      text.append(" with subresource \"").append(subresource).append('"');
    }
    if (operation == Operation.UPDATE) {
      text.append(" using ").append(apiVersion);
    }
    return text.toString();
  }

  @Override
  public int compareTo(Manager other) {
    int order = name.compareTo(other.name);
    order = order == 0 ? operation.compareTo(other.operation) : order;
    order = order == 0 ? apiVersion.compareTo(other.apiVersion) : order;
    return order == 0 ? subresource.compareTo(other.subresource) : order;
  }
}
