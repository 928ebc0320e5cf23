package io.berth.schema.protobuf;

import io.berth.api.Tree;
import io.berth.schema.DecodingException;
import io.berth.schema.Types;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Set;
import java.util.function.Consumer;

/// Reads what an API server answers in `application/vnd.kubernetes.protobuf`: objects, lists and
/// the events of a watch, as the trees that JSON would have given.
///
/// Values that JSON would leave out are left out, and so are fields that nobody here looks at. A
/// list is read as it comes, one item at a time. Not for many threads at once.
public final class AnswerReader {

  /// A watch event; `object` is a `Status` when the type is `ERROR`.
  public record Event(String type, Tree object) {}

  private static final int PREFIX = 4;
  private static final int MAX_PART = 64 << 20;

  private final Types types;
  private final MessageReader reader;
  private byte[] part = new byte[16 << 10];

  /// `unread` are names of fields, messages or lists, at any depth.
  public AnswerReader(Types types, Set<String> unread) {
    this.types = types;
    this.reader = new MessageReader(unread);
  }

  /// One object with its prefix and envelope.
  public Tree object(byte[] bytes, int length) {
    return enveloped(new WireReader(bytes, PREFIX, length));
  }

  private Tree enveloped(WireReader envelope) {
    var names = new Tree();
    Tree object = names;
    while (envelope.hasMore()) {
      switch (envelope.field()) {
        case 1 -> typeMeta(envelope.message(), names);
        case 2 -> object = message(names, envelope.message());
        default -> envelope.skip();
      }
    }
    return object;
  }

  private Tree message(Tree names, WireReader wire) {
    var apiVersion = names.textOrEmpty("apiVersion");
    var kind = names.textOrEmpty("kind");
    var type = types.find(apiVersion, kind);
    if (type.isEmpty()) {
      throw new DecodingException("no kind \"%s\" in version \"%s\"".formatted(kind, apiVersion));
    }
    return reader.read(type.get(), wire, names);
  }

  private static void typeMeta(WireReader wire, Tree names) {
    while (wire.hasMore()) {
      switch (wire.field()) {
        case 1 -> names.put("apiVersion", wire.text());
        case 2 -> names.put("kind", wire.text());
        default -> wire.skip();
      }
    }
  }

  /// Reads the next event of a watch into `event`; `false` at the end of the stream.
  public boolean next(InputStream stream, Consumer<Event> event) throws IOException {
    int first = stream.read();
    if (first < 0) {
      return false;
    }
    int length = first;
    for (int i = 0; i < 3; i++) {
      length = length << 8 | some(stream);
    }
    fill(stream, length);
    var wire = new WireReader(part, 0, length);
    var type = "";
    var object = new Tree();
    while (wire.hasMore()) {
      switch (wire.field()) {
        case 1 -> type = wire.text();
        case 2 -> object = raw(wire.message());
        default -> wire.skip();
      }
    }
    event.accept(new Event(type, object));
    return true;
  }

  private Tree raw(WireReader extension) {
    var object = new Tree();
    while (extension.hasMore()) {
      if (extension.field() == 1) {
        var bytes = extension.message();
        bytes.skip(PREFIX);
        object = enveloped(bytes);
      } else {
        extension.skip();
      }
    }
    return object;
  }

  /// Reads a list of `kind`s, hands over its items one by one, and returns the list's metadata.
  public Tree list(InputStream stream, String apiVersion, String kind, Consumer<Tree> item)
      throws IOException {
    fill(stream, PREFIX);
    for (long tag = varint(stream); tag >>> 3 != 2; tag = varint(stream)) {
      fill(stream, varint(stream));
    }
    long left = varint(stream);
    var type = types.type(apiVersion, kind);
    var metadata = new Tree();
    while (left > 0) {
      long tag = varint(stream);
      long length = varint(stream);
      left -= size(tag) + size(length) + length;
      fill(stream, length);
      var wire = new WireReader(part, 0, (int) length);
      if (tag >>> 3 == 1) {
        metadata = reader.read(types.type("meta.v1.ListMeta"), wire, new Tree());
      } else if (tag >>> 3 == 2) {
        item.accept(reader.read(type, wire, new Tree()));
      }
    }
    return metadata;
  }

  private void fill(InputStream stream, long length) throws IOException {
    if (length < 0 || length > MAX_PART) {
      throw new IOException("a part of the answer has %d bytes".formatted(length));
    }
    if (length > part.length) {
      part = new byte[Math.max((int) length, 2 * part.length)];
    }
    if (stream.readNBytes(part, 0, (int) length) < length) {
      throw new EOFException("the answer ends within an object");
    }
  }

  private static int some(InputStream stream) throws IOException {
    int next = stream.read();
    if (next < 0) {
      throw new EOFException("the answer ends within an object");
    }
    return next;
  }

  private static long varint(InputStream stream) throws IOException {
    long value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      int next = some(stream);
      value |= (long) (next & 0x7f) << shift;
      if (next < 0x80) {
        return value;
      }
    }
    throw new IOException("malformed number in the answer");
  }

  private static int size(long varint) {
    return 1 + (63 - Long.numberOfLeadingZeros(varint | 1)) / 7;
  }
}
