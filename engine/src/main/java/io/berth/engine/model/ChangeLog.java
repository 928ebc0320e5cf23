package io.berth.engine.model;

/// Which nodes changed, in order: a ring that readers follow with a position of their own.
///
/// A reader that falls behind by more than the ring holds must start over.
public final class ChangeLog {

  private int[] ring = new int[1 << 14];
  private long end;

  void add(int node) {
    if (end > 0 && ring[(int) ((end - 1) & (ring.length - 1))] == node && end != mark) {
      return;
    }
    ring[(int) (end & (ring.length - 1))] = node;
    end++;
  }

  // Entries before a position somebody has read must be written anew, even when equal.
  private long mark;

  /// The position after the last change; what is read from there on is new.
  public long end() {
    mark = end;
    return end;
  }

  /// Whether everything since the position is still here.
  public boolean reaches(long position) {
    return end - position <= ring.length;
  }

  public int node(long position) {
    return ring[(int) (position & (ring.length - 1))];
  }

  /// Keeps the ring at least as long as half the table, beyond which starting over is cheaper.
  void fit(int nodes) {
    if (ring.length < nodes / 2) {
      var longer = new int[ring.length * 4];
      for (long at = Math.max(0, end - ring.length); at < end; at++) {
        longer[(int) (at & (longer.length - 1))] = node(at);
      }
      ring = longer;
    }
  }
}
