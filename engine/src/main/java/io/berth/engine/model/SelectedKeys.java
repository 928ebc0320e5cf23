package io.berth.engine.model;

import io.berth.api.LabelSelector;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The label keys that selectors of running pods and of services and controllers look at.
///
/// A label nobody looks at, such as the index of a pod in its Job, makes no difference to where a
/// pod goes.
public final class SelectedKeys {

  private final Map<String, Integer> uses = new HashMap<>();
  private long additions;

  public boolean contains(String key) {
    return uses.containsKey(key);
  }

  /// Grows whenever a key is looked at that was not before.
  public long additions() {
    return additions;
  }

  void add(@Nullable LabelSelector selector) {
    count(selector, 1);
  }

  void remove(@Nullable LabelSelector selector) {
    count(selector, -1);
  }

  private void count(@Nullable LabelSelector selector, int sign) {
    if (selector == null) {
      return;
    }
    selector.matchLabels().keySet().forEach(key -> count(key, sign));
    selector.matchExpressions().forEach(clause -> count(clause.key(), sign));
  }

  private void count(String key, int sign) {
    int now = uses.merge(key, sign, Integer::sum);
    if (now == 0) {
      uses.remove(key);
    } else if (now == 1 && sign > 0) {
      additions++;
    }
  }
}
