package io.berth.workloads.door;

import io.berth.api.Tree;
import org.jspecify.annotations.Nullable;

/// What the objects of one kind must be, whichever door they come through.
///
/// All methods throw a [io.berth.workloads.http.Refusal] in the words of the REST API.
public interface Rules {

  /// Refuses an object that REST would not have made; `old` is what is stored, if anything.
  void check(Tree object, @Nullable Tree old);

  /// Refuses to let go of what is still needed.
  void checkDeletion(Tree object);

  /// Whether Berth has taken the object in. Before that it has no effect.
  default boolean isTakenIn(Tree object) {
    return Given.hasId(object);
  }

  /// The object with what only Berth can give it, and in the form REST stores it.
  Tree takenIn(Tree object);
}
