package io.berth.codec;

import io.berth.api.Tree;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What a lenient reader found: the value, and the fields that stood there more than once.
///
/// Of such fields the last one won. `duplicates` names them by the object that holds them (by
/// identity, not by equality); a field stands where its last occurrence stood. `complaints` are
/// duplicates that only a text can name: those of YAML, with their line.
public record Document(
    @Nullable Object value, Map<Tree, Set<String>> duplicates, List<String> complaints) {

  /// Whether `field` of `tree` was given more than once.
  public boolean repeats(Tree tree, String field) {
    var fields = duplicates.get(tree);
    return fields != null && fields.contains(field);
  }
}
