package io.berth.server.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/// A body that lies in several places, in order: what is kept elsewhere is not copied into one
/// array to be sent. Nobody writes to it.
public final class Pieces {

  private final List<ByteBuffer> pieces = new ArrayList<>();
  private long length;
  private long owned;

  /// What it takes to refer to a piece.
  private static final int REFERENCE_BYTES = 64;

  public static Pieces of(byte[] body) {
    return new Pieces().add(body);
  }

  public Pieces add(byte[] piece) {
    owned += piece.length;
    return share(ByteBuffer.wrap(piece));
  }

  /// Adds what is kept elsewhere anyway.
  public Pieces share(ByteBuffer piece) {
    pieces.add(piece);
    length += piece.remaining();
    owned += REFERENCE_BYTES;
    return this;
  }

  /// This body with one more piece.
  Pieces with(byte[] piece) {
    var longer = new Pieces();
    longer.pieces.addAll(pieces);
    longer.length = length;
    longer.owned = owned;
    return longer.add(piece);
  }

  public long length() {
    return length;
  }

  /// The memory that is there for this body alone.
  public long owned() {
    return owned;
  }

  /// Whether this is text that ends a line.
  boolean endsLine() {
    if (length == 0) {
      return false;
    }
    var last = pieces.getLast();
    return last.get(last.limit() - 1) == '\n';
  }

  /// All of it in one array.
  public byte[] joined() {
    if (pieces.size() == 1 && pieces.getFirst().capacity() == length) {
      return pieces.getFirst().array();
    }
    var joined = ByteBuffer.allocate(Math.toIntExact(length));
    for (var piece : pieces) {
      joined.put(piece.duplicate());
    }
    return joined.array();
  }

  /// Hands everything to `sink`, in portions of about `size` bytes. A portion may be used until the
  /// sink returns.
  void forEachPortion(int size, Sink sink) throws IOException {
    var portion = ByteBuffer.allocate((int) Math.min(size, length));
    for (var piece : pieces) {
      var rest = piece.duplicate();
      while (rest.hasRemaining()) {
        int fitting = Math.min(rest.remaining(), portion.remaining());
        portion.put(portion.position(), rest, rest.position(), fitting);
        portion.position(portion.position() + fitting);
        rest.position(rest.position() + fitting);
        if (!portion.hasRemaining()) {
          sink.take(portion.flip());
          portion.clear();
        }
      }
    }
    if (portion.position() > 0) {
      sink.take(portion.flip());
    }
  }

  interface Sink {
    void take(ByteBuffer portion) throws IOException;
  }
}
