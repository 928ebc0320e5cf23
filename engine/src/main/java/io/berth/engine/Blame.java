package io.berth.engine;

import io.berth.engine.model.RunningPod;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// Running pods without which a rule would not object to a node, none of whom can be left out.
///
/// Of several such sets it is one with few pods, of low priority, that started late. Parts are
/// shared between the nodes of a domain, however many pods they hold, and named only when asked.
public final class Blame {

  private final List<List<RunningPod>> parts;

  public Blame(List<List<RunningPod>> parts) {
    this.parts = List.copyOf(parts);
  }

  /// The pods as `namespace/name`, by name.
  public Set<String> pods() {
    var pods = new TreeSet<String>();
    for (var part : parts) {
      part.forEach(pod -> pods.add(pod.key()));
    }
    return pods;
  }

  @Override
  public String toString() {
    return pods().toString();
  }
}
