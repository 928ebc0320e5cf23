package io.berth.store;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Whether calls on one register that overlapped in time can have happened one after another.
///
/// The search of Wing and Gong with Lowe's memory: take any call that began before every open one
/// ended, apply it, go on; remember sets of applied calls and the value they led to, and never try
/// the same twice. Good for some dozen calls that overlap.
final class History {

  /// One call: what was asked, what was answered, and when. `end` is `Long.MAX_VALUE` for a call
  /// whose outcome nobody knows.
  record Call(Operation operation, long begin, long end) {}

  /// A register holds a text or nothing.
  sealed interface Operation {

    record Read(@Nullable String answer) implements Operation {}

    record Write(String value) implements Operation {}

    /// Writes `value` when the register holds `expected`, and answers whether it did.
    record Swap(@Nullable String expected, String value, boolean done) implements Operation {}
  }

  private final List<Call> calls;
  private final Set<Tried> tried = new HashSet<>();

  private History(List<Call> calls) {
    this.calls = calls;
  }

  static boolean isLinearizable(List<Call> calls) {
    return new History(List.copyOf(calls)).search(new HashSet<>(), null);
  }

  private boolean search(Set<Integer> applied, @Nullable String value) {
    if (allKnownApplied(applied)) {
      return true;
    }
    if (!tried.add(new Tried(Set.copyOf(applied), value))) {
      return false;
    }
    long firstEnd = firstEnd(applied);
    for (int i = 0; i < calls.size(); i++) {
      if (applied.contains(i) || calls.get(i).begin() > firstEnd) {
        continue;
      }
      var next = apply(calls.get(i).operation(), value);
      if (next.possible()) {
        applied.add(i);
        if (search(applied, next.value())) {
          return true;
        }
        applied.remove(i);
      }
    }
    return false;
  }

  private boolean allKnownApplied(Set<Integer> applied) {
    for (int i = 0; i < calls.size(); i++) {
      if (calls.get(i).end() != Long.MAX_VALUE && !applied.contains(i)) {
        return false;
      }
    }
    return true;
  }

  private long firstEnd(Set<Integer> applied) {
    long first = Long.MAX_VALUE;
    for (int i = 0; i < calls.size(); i++) {
      if (!applied.contains(i)) {
        first = Math.min(first, calls.get(i).end());
      }
    }
    return first;
  }

  private static Outcome apply(Operation operation, @Nullable String value) {
    return switch (operation) {
      case Operation.Read(var answer) -> new Outcome(Objects.equals(answer, value), value);
      case Operation.Write(var written) -> new Outcome(true, written);
      case Operation.Swap(var expected, var written, var done) ->
          new Outcome(Objects.equals(expected, value) == done, done ? written : value);
    };
  }

  private record Tried(Set<Integer> applied, @Nullable String value) {}

  private record Outcome(boolean possible, @Nullable String value) {}

  /// Collects calls by register, for threads that make them.
  static final class Log {
    private final Map<String, List<Call>> calls = new HashMap<>();

    synchronized void add(String register, Call call) {
      calls.computeIfAbsent(register, _ -> new ArrayList<>()).add(call);
    }

    synchronized Map<String, List<Call>> calls() {
      return Map.copyOf(calls);
    }
  }
}
