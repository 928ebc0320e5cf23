package io.berth.admission;

import io.berth.api.Tree;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Whether the mutating phase of a request is repeated, and for whom.
///
/// A policy or webhook that wants to be asked again is, when another one changed the object after
/// it. At most one repetition. Used by one thread.
public final class Reinvocation {

  private final Map<String, Round> rounds = new HashMap<>();
  private boolean due;
  private boolean again;

  /// Whether the phase is to be repeated.
  boolean isDue() {
    return due && !again;
  }

  void begin() {
    again = true;
  }

  /// Whether this is the repetition.
  public boolean isAgain() {
    return again;
  }

  /// Notes that the object was changed.
  public void require() {
    due = true;
  }

  /// What one plugin remembers.
  public Round of(String plugin) {
    return rounds.computeIfAbsent(plugin, _ -> new Round());
  }

  /// The policies or webhooks of one plugin that want to be asked again, by name.
  public static final class Round {

    private final Set<String> asked = new HashSet<>();
    private final Set<String> again = new HashSet<>();
    private @Nullable Tree last;

    /// Whether somebody else changed the object since this plugin saw it last.
    public boolean isChanged(@Nullable Tree object) {
      return last == null ? object != null : !last.equals(object);
    }

    public void remember(@Nullable Tree object) {
      last = object == null ? null : object.copy();
    }

    /// Those asked so far that want it are asked again.
    public void repeatAsked() {
      again.addAll(asked);
      asked.clear();
    }

    public boolean repeats(String name) {
      return again.contains(name);
    }

    public void wants(String name) {
      asked.add(name);
    }
  }
}
