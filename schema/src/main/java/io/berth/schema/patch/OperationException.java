package io.berth.schema.patch;

import io.berth.api.Tree;

/// An operation of a JSON patch that does not fit the object, in the words Kubernetes has when it
/// patches on its own account.
public final class OperationException extends Exception {

  private static final long serialVersionUID = 1L;

  private final boolean failedTest;

  /// `hasParent` says that the object or list exists in which the operation would have worked.
  OperationException(Tree operation, boolean hasParent) {
    super(message(operation, hasParent), null, false, false);
    failedTest = operation.textOrEmpty("op").equals("test");
  }

  private static String message(Tree operation, boolean hasParent) {
    var op = operation.textOrEmpty("op");
    var path = operation.textOrEmpty("path");
    if (op.equals("test")) {
      return "testing value %s failed: test failed".formatted(path);
    }
    return hasParent
        ? "%s operation does not apply: doc is missing key: %s: missing value".formatted(op, path)
        : "%s operation does not apply: doc is missing path: \"%s\": missing value"
            .formatted(op, path);
  }

  public String text() {
    return String.valueOf(getMessage());
  }

  /// Whether it was a `test`, which is there to fail.
  public boolean isFailedTest() {
    return failedTest;
  }
}
