package io.berth.answers.live;

import io.berth.answers.source.Survey;
import io.berth.api.ObjectReference;
import io.berth.api.Tree;
import java.util.List;
import java.util.Optional;

/// The cluster of a running scheduler: what it hears, and the objects behind that.
public interface LiveSource {

  /// The scheduler that decides now; another one after its configuration has changed.
  Scheduling now();

  /// What a scheduler tells, and by what it decides.
  record Scheduling(Hearing hearing, Survey.Settings settings) {}

  /// Has the scheduler tell the hearing all that it knows, and returns when it has.
  void begin(Hearing hearing) throws InterruptedException;

  /// The state that the cluster has reached.
  long revision();

  /// The object as it is written in the cluster now.
  Optional<Tree> find(ObjectReference reference);

  /// All objects of a kind.
  List<Tree> all(String kind);

  /// The kinds that placement follows from, and those that make pods.
  List<String> kinds();
}
