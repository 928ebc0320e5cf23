package io.berth.admission;

import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.List;

/// Lists of tolerations, merged and compared by what they tolerate.
final class Tolerations {

  private Tolerations() {}

  /// Both lists without those that another one makes redundant; of equals the first stays.
  static List<Tree> merge(List<Tree> first, List<Tree> second) {
    var all = new ArrayList<>(first);
    all.addAll(second);
    var merged = new ArrayList<Tree>();
    for (int i = 0; i < all.size(); i++) {
      if (!isRedundant(all, i, merged)) {
        merged.add(all.get(i));
      }
    }
    return merged;
  }

  private static boolean isRedundant(List<Tree> all, int index, List<Tree> merged) {
    var toleration = all.get(index);
    for (var earlier : merged) {
      if (covers(earlier, toleration)) {
        return true;
      }
    }
    for (var later : all.subList(index + 1, all.size())) {
      if (!later.equals(toleration) && covers(later, toleration)) {
        return true;
      }
    }
    return false;
  }

  /// Whether each toleration is covered by one of the list.
  static boolean areWithin(List<Tree> tolerations, List<Tree> whitelist) {
    return tolerations.stream()
        .allMatch(each -> whitelist.stream().anyMatch(allowed -> covers(allowed, each)));
  }

  /// Whether `wide` tolerates everything that `narrow` does.
  private static boolean covers(Tree wide, Tree narrow) {
    if (wide.equals(narrow)) {
      return true;
    }
    var operator = wide.textOrEmpty("operator");
    var key = wide.textOrEmpty("key");
    if (!key.equals(narrow.textOrEmpty("key")) && !(key.isEmpty() && operator.equals("Exists"))) {
      return false;
    }
    var effect = wide.textOrEmpty("effect");
    if (!effect.isEmpty() && !effect.equals(narrow.textOrEmpty("effect"))) {
      return false;
    }
    if (effect.equals("NoExecute")
        && wide.get("tolerationSeconds") instanceof Long limit
        && !(narrow.get("tolerationSeconds") instanceof Long seconds && seconds <= limit)) {
      return false;
    }
    return switch (operator) {
      case "Exists" -> true;
      case "", "Equal" ->
          narrow.textOrEmpty("operator").equals("Equal")
              && narrow.textOrEmpty("value").equals(wide.textOrEmpty("value"));
      default -> false;
    };
  }
}
