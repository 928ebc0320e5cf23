package io.berth.scheduler;

import io.berth.api.Pod;
import io.berth.api.PodGroup;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Which pods belong together, how many of them wait and how many have a place. Owned by the loop's
/// thread.
///
/// A group is known by a PodGroup object, or by the label and annotation of its pods alone. It is
/// dropped when neither object nor pods are left.
final class PodGroups {

  private final Map<String, Members> groups = new HashMap<>();

  void put(PodGroup group) {
    groups.computeIfAbsent(group.key(), _ -> new Members()).group = group;
  }

  void remove(String namespace, String name) {
    var key = namespace + "/" + name;
    var members = groups.get(key);
    if (members != null) {
      members.group = null;
      dropIfEmpty(key, members);
    }
  }

  Optional<PodGroup> find(String key) {
    var members = groups.get(key);
    return Optional.ofNullable(members == null ? null : members.group);
  }

  void waits(Pod pod) {
    membersOf(pod)
        .ifPresent(members -> {
          members.placed.remove(pod.key());
          members.waiting.add(pod.key());
          members.minCount = Math.max(members.minCount, minCountOf(pod));
        });
  }

  void placed(Pod pod) {
    membersOf(pod)
        .ifPresent(members -> {
          members.waiting.remove(pod.key());
          members.placed.add(pod.key());
        });
  }

  void gone(Pod pod) {
    membersOf(pod)
        .ifPresent(members -> {
          members.waiting.remove(pod.key());
          members.placed.remove(pod.key());
          dropIfEmpty(keyOf(pod), members);
        });
  }

  /// Why the pod may not be tried yet, in the words of Kubernetes; empty when it may.
  Optional<String> gate(Pod pod) {
    var group = pod.group();
    if (group == null) {
      return Optional.empty();
    }
    var members = groups.get(keyOf(pod));
    if (group.hasObject() && (members == null || members.group == null)) {
      return Optional.of(
          "waiting for pods's pod group \"%s\" to appear in scheduling queue"
              .formatted(group.name()));
    }
    return members == null || members.all() < members.minCount()
        ? Optional.of("waiting for minCount pods from a gang to appear in scheduling queue")
        : Optional.empty();
  }

  /// Pods of the group without a place, `namespace/name`.
  List<String> waiting(String key) {
    var members = groups.get(key);
    return members == null ? List.of() : List.copyOf(members.waiting);
  }

  /// Pods of the group with a place, also one that is not confirmed yet.
  List<String> placed(String key) {
    var members = groups.get(key);
    return members == null ? List.of() : List.copyOf(members.placed);
  }

  int minCount(String key) {
    var members = groups.get(key);
    return members == null ? 1 : members.minCount();
  }

  /// Whether evicting this pod means evicting all of its group.
  boolean isDisruptedWhole(Pod pod) {
    var group = pod.group();
    return group != null
        && group.hasObject()
        && find(keyOf(pod)).filter(PodGroup::disruptedWhole).isPresent();
  }

  /// `namespace/name` of the pod's group; only for a pod that has one.
  static String keyOf(Pod pod) {
    return pod.namespace() + "/" + Objects.requireNonNull(pod.group()).name();
  }

  private Optional<Members> membersOf(Pod pod) {
    return pod.group() == null
        ? Optional.empty()
        : Optional.of(groups.computeIfAbsent(keyOf(pod), _ -> new Members()));
  }

  private static int minCountOf(Pod pod) {
    return Objects.requireNonNull(pod.group()).minCount();
  }

  private void dropIfEmpty(String key, Members members) {
    if (members.group == null && members.all() == 0) {
      groups.remove(key);
    }
  }

  /// One group. Without an object its pods say how many are needed, and the highest count stands.
  private static final class Members {

    private @Nullable PodGroup group;
    private int minCount;
    private final Set<String> waiting = new LinkedHashSet<>();
    private final Set<String> placed = new LinkedHashSet<>();

    int all() {
      return waiting.size() + placed.size();
    }

    int minCount() {
      return group == null ? Math.max(1, minCount) : group.minCount();
    }
  }
}
