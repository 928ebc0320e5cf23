package io.berth.store;

import java.io.ByteArrayOutputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/// A change as it lies on disk: whether the object is gone, when it was written, where it lives,
/// and its bytes. The revision is the key under which the record is stored.
record LedgerRecord(boolean deleted, long writtenMillis, Key key, byte[] bytes) {

  private static final byte PUT = 1;
  private static final byte DELETE = 2;

  static LedgerRecord of(Change change, long writtenMillis) {
    var entry = change.entry();
    boolean deleted = change.type() == Change.Type.DELETED;
    return new LedgerRecord(deleted, writtenMillis, entry.key(), entry.bytes());
  }

  byte[] encoded() {
    var out = new ByteArrayOutputStream(64 + bytes.length);
    out.write(deleted ? DELETE : PUT);
    out.writeBytes(ByteBuffer.allocate(Long.BYTES).putLong(writtenMillis).array());
    write(out, key.group());
    write(out, key.resource());
    write(out, key.namespace());
    write(out, key.name());
    out.writeBytes(bytes);
    return out.toByteArray();
  }

  private static void write(ByteArrayOutputStream out, String text) {
    var utf8 = text.getBytes(StandardCharsets.UTF_8);
    if (utf8.length > 0xffff) {
      throw new IllegalArgumentException("a key of %d bytes is too long".formatted(utf8.length));
    }
    out.write(utf8.length >>> 8);
    out.write(utf8.length);
    out.writeBytes(utf8);
  }

  /// Reads what [#encoded()] wrote; throws `IllegalArgumentException` for anything else.
  static LedgerRecord decoded(byte[] encoded, Names names) {
    try {
      var in = ByteBuffer.wrap(encoded);
      byte type = in.get();
      if (type != PUT && type != DELETE) {
        throw new IllegalArgumentException("unknown record type " + type);
      }
      long writtenMillis = in.getLong();
      var group = names.shared(text(in));
      var resource = names.shared(text(in));
      var namespace = names.shared(text(in));
      var key = new Key(group, resource, namespace, text(in));
      var bytes = new byte[in.remaining()];
      in.get(bytes);
      return new LedgerRecord(type == DELETE, writtenMillis, key, bytes);
    } catch (BufferUnderflowException e) {
      throw new IllegalArgumentException("the record ends early", e);
    }
  }

  private static String text(ByteBuffer in) {
    var utf8 = new byte[Short.toUnsignedInt(in.getShort())];
    in.get(utf8);
    return new String(utf8, StandardCharsets.UTF_8);
  }
}
