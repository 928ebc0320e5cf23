package io.berth.answers.plan;

import io.berth.answers.plan.Like.Labels;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Pods without a node, those that no rule can tell apart in one line.
final class WaitingRoom {

  private final Labels labels;
  private final Map<Like, Line> lines = new LinkedHashMap<>();
  private final Map<String, Line> lineOf = new HashMap<>();
  private long arrivals;

  /// `labels` knows which labels rules look at.
  WaitingRoom(Labels labels) {
    this.labels = labels;
  }

  /// Pods that are judged alike, in the order in which they came.
  static final class Line {
    private final Like like;
    private final LinkedHashMap<String, Arrival> pods = new LinkedHashMap<>();

    private @Nullable News refusedAt;

    private Line(Like like) {
      this.like = like;
    }

    /// Whether something has happened since it was refused that may help. Who asks for no company
    /// and spreads not is not helped by pods that come.
    boolean isDue(News now) {
      var last = refusedAt;
      boolean social =
          !like.spec().podAffinity().required().isEmpty()
              || !like.spec().topologySpreadConstraints().isEmpty();
      return last == null
          || last.freed() != now.freed()
          || (social && last.placed() != now.placed());
    }

    void refused(News now) {
      refusedAt = now;
    }

    boolean isEmpty() {
      return pods.isEmpty();
    }

    Resident head() {
      return pods.firstEntry().getValue().pod();
    }

    /// The most important first, then who came first.
    static final Comparator<Line> BY_HEAD =
        Comparator.comparingInt((Line line) -> line.like.spec().priority())
            .reversed()
            .thenComparingLong(line -> line.pods.firstEntry().getValue().number());
  }

  /// How often so far room was made or a node changed, and how often a pod found its place.
  record News(int freed, int placed) {}

  private record Arrival(Resident pod, long number) {}

  void add(Resident pod) {
    remove(pod.key());
    add(new Arrival(pod, arrivals++));
  }

  private void add(Arrival arrival) {
    var line = lines.computeIfAbsent(Like.of(arrival.pod().pod(), labels), Line::new);
    line.pods.put(arrival.pod().key(), arrival);
    lineOf.put(arrival.pod().key(), line);
  }

  void remove(String key) {
    var line = lineOf.remove(key);
    if (line != null) {
      line.pods.remove(key);
      if (line.isEmpty()) {
        lines.remove(line.like);
      }
    }
  }

  /// Forms lines anew if rules look at labels by now that they did not look at before; whether they
  /// do.
  boolean regroup() {
    if (!labels.haveChanged()) {
      return false;
    }
    var all = arrivals();
    lines.clear();
    lineOf.clear();
    all.forEach(this::add);
    return true;
  }

  Collection<Line> lines() {
    return lines.values();
  }

  private List<Arrival> arrivals() {
    var all = new ArrayList<Arrival>();
    lines.values().forEach(line -> all.addAll(line.pods.values()));
    all.sort(Comparator.comparingLong(Arrival::number));
    return all;
  }
}
