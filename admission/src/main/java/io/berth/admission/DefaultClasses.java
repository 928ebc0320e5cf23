package io.berth.admission;

import io.berth.api.Resource;
import io.berth.api.Tree;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Finds the class that an annotation makes the default; of several the newest, then the first by
/// name.
final class DefaultClasses {

  private static final Comparator<Tree> NEWEST_FIRST =
      Comparator.comparing((Tree each) -> each.textOrEmpty("metadata", "creationTimestamp"))
          .reversed()
          .thenComparing(each -> each.textOrEmpty("metadata", "name"));

  private DefaultClasses() {}

  static Optional<String> find(Lookup lookup, Resource classes, List<String> annotations) {
    return lookup.list(classes, "").stream()
        .filter(each -> isDefault(each, annotations))
        .min(NEWEST_FIRST)
        .map(each -> each.textOrEmpty("metadata", "name"));
  }

  private static boolean isDefault(Tree each, List<String> annotations) {
    return annotations.stream()
        .anyMatch(key -> each.textOrEmpty("metadata", "annotations", key).equals("true"));
  }
}
