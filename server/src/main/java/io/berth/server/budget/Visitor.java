package io.berth.server.budget;

/// Who sent a request, as far as is known, and what it holds until it is done.
///
/// Everybody is a stranger until the endpoint has found out who they are. Used by one thread at a
/// time.
public final class Visitor implements AutoCloseable {

  private static final int USES = Use.COUNT;

  private final Memory memory;
  private final Host host;
  private final long[] held = new long[USES];
  private Owner owner;

  public Visitor(Memory memory, String address, Host host) {
    this.memory = memory;
    this.owner = Owner.stranger(address);
    this.host = host;
  }

  /// A caller of this process, or of a test, who is welcome to everything.
  public static Visitor guest() {
    return new Visitor(new Memory(new Budget(Long.MAX_VALUE / 8)), "here", Host.NONE);
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
  }

  /// Holds more memory until the request is done; throws the refusal when there is too little left.
  public void take(Use use, long bytes) {
    memory.take(owner, use, bytes, host);
    held[use.index()] += bytes;
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
  }
}
