package io.berth.schema.patch;

import io.berth.api.Tree;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What came out of a patch before it is checked against a type. `value` is an object unless a JSON
/// patch replaced the whole document by something else; `complaints` are about the patch itself.
public record Patched(@Nullable Object value, List<String> complaints) {

  /// The patched object; anything else counts as an empty one, as `null` does in Kubernetes.
  public Tree tree() {
    return value instanceof Tree tree ? tree : new Tree();
  }
}
