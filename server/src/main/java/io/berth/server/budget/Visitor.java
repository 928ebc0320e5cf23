package io.berth.server.budget;

import org.jspecify.annotations.Nullable;

/// Who sent a request, as far as is known, and what it holds until it is done.
///
/// Everybody is a stranger until the endpoint has found out who they are. Used by one thread at a
/// time.
public final class Visitor implements AutoCloseable {

  private static final int USES = Use.COUNT;

  private final Memory memory;
  private final Host host;
  private final @Nullable Processor processor;
  private final long[] held = new long[USES];
  private Owner owner;
  private @Nullable Line line;
  private long began;
  private boolean working;

  /// `expected` is who came this way before.
  public Visitor(
      Memory memory, Processor processor, String address, @Nullable Owner expected, Host host) {
    this.memory = memory;
    this.owner = Owner.stranger(address);
    this.host = host;
    this.processor = processor;
    this.line = processor.line(expected == null ? owner : expected);
  }

  private Visitor(Memory memory) {
    this.memory = memory;
    this.owner = Owner.stranger("here");
    this.host = Host.NONE;
    this.processor = null;
  }

  /// A caller of this process, or of a test, who is welcome to everything.
  public static Visitor guest() {
    return new Visitor(new Memory(new Budget(Long.MAX_VALUE / 8)));
  }

  /// Who lets visitors in.
  public interface Host {

    Host NONE =
        new Host() {
          @Override
          public void isKnown(Owner owner) {}

          @Override
          public void makeRoom() {}
        };

    /// The visitor is no stranger any more.
    void isKnown(Owner owner);

    /// Sends away one of the strangers, the one that has been here for longest.
    void makeRoom();
  }

  public Owner owner() {
    return owner;
  }

  /// Somebody vouches for the sender: what it takes from now on is charged to this name.
  public void isKnownAs(String name) {
    releaseAll();
    owner = Owner.known(name);
    host.isKnown(owner);
    if (processor != null && (line == null || !line.isOf(owner))) {
      boolean goesOn = working;
      rest();
      leave();
      line = processor.line(owner);
      if (goesOn) {
        work();
      }
    }
  }

  /// Waits for a turn on the processor, until [#rest]; throws the refusal when that takes too long.
  public void work() {
    if (line != null && !working) {
      began = line.begin();
      working = true;
    }
  }

  /// The same for what cannot be refused any more.
  public void goOn() {
    if (line != null && !working) {
      began = line.goOn();
      working = true;
    }
  }

  /// Before this thread waits for the client, or for something else that may take long.
  public void rest() {
    if (line != null && working) {
      working = false;
      line.end(began);
    }
  }

  private void leave() {
    if (line != null) {
      line.leave();
      line = null;
    }
  }

  /// Holds more memory until the request is done; throws the refusal when there is too little left.
  public void take(Use use, long bytes) {
    if (!memory.offer(owner, use, bytes)) {
      await(use, bytes);
    }
    held[use.index()] += bytes;
  }

  /// One who waits for memory does not need the processor.
  private void await(Use use, long bytes) {
    boolean goesOn = working;
    rest();
    memory.take(owner, use, bytes, host);
    if (goesOn) {
      goOn();
    }
  }

  /// Holds more memory for what cannot be refused any more.
  public void force(Use use, long bytes) {
    memory.force(owner, use, bytes);
    held[use.index()] += bytes;
  }

  /// Gives back before the end what is not needed any more.
  public void release(Use use) {
    long bytes = held[use.index()];
    if (bytes > 0) {
      held[use.index()] = 0;
      memory.release(owner, use, bytes);
    }
  }

  private void releaseAll() {
    for (var use : Use.values()) {
      release(use);
    }
  }

  @Override
  public void close() {
    releaseAll();
    rest();
    leave();
  }
}
