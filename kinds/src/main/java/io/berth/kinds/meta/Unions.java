package io.berth.kinds.meta;

import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Objects of which exactly one member is set.
///
/// Mirrors: apimachinery/pkg/api/validate.Union
public final class Unions {

  private Unions() {}

  /// Refuses none and several. As in Kubernetes, an update that leaves the choice alone is fine
  /// whatever it is.
  public static void exactlyOne(Cursor object, @Nullable Tree old, List<String> members) {
    var chosen = chosen(object.tree(), members);
    if (chosen.size() == 1 || (old != null && chosen.equals(chosen(old, members)))) {
      return;
    }
    var all = new ArrayList<String>();
    members.forEach(member -> all.add("`" + member + "`"));
    var names = String.join(", ", all);
    if (chosen.isEmpty()) {
      object.invalid("", "must specify one of: " + names);
    } else {
      object.invalid(
          "{" + String.join(", ", chosen) + "}", "must specify exactly one of: " + names);
    }
  }

  private static List<String> chosen(Tree object, List<String> members) {
    return members.stream().filter(member -> isSet(object.get(member))).toList();
  }

  private static boolean isSet(@Nullable Object value) {
    return value != null && !(value instanceof List<?> list && list.isEmpty());
  }
}
