package io.berth.answers.live;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What one scheduler told and nobody has taken in yet, in its order.
///
/// Deaf until somebody asks: then it hears all that is known, and from there on what happens.
/// Bounded: where nobody asks for so long that it holds [#MAX] happenings, it is deaf again, and
/// whoever asks next begins anew. The scheduler's thread tells, any other takes.
public final class Hearing {

  /// As many as a large cluster has objects: beyond, to begin anew is cheaper than to catch up.
  static final int MAX = 1 << 17;

  private volatile boolean deaf = true;
  private List<Happening> heard = new ArrayList<>();

  /// All that is known, on the scheduler's thread.
  public synchronized void begin(List<Happening> all) {
    heard = new ArrayList<>(all);
    deaf = false;
  }

  /// On the scheduler's thread.
  public void hear(Happening happening) {
    if (!deaf) {
      add(happening);
    }
  }

  private synchronized void add(Happening happening) {
    if (heard.size() < MAX) {
      heard.add(happening);
    } else {
      deaf = true;
      heard = new ArrayList<>();
    }
  }

  /// Whether nothing that is told now is kept.
  public boolean isDeaf() {
    return deaf;
  }

  /// What came since the last time; nothing where it is deaf, and something may be lost.
  synchronized Optional<List<Happening>> take() {
    if (deaf) {
      return Optional.empty();
    }
    var taken = heard;
    heard = new ArrayList<>();
    return Optional.of(taken);
  }
}
