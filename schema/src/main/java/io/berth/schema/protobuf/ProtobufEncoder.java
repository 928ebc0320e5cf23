package io.berth.schema.protobuf;

import io.berth.api.Tree;
import io.berth.schema.Type;
import io.berth.schema.Types;
import java.util.ArrayList;
import java.util.List;

/// Writes answers of `application/vnd.kubernetes.protobuf`, for clients that ask for it.
///
/// An answer is the envelope around a message. [#message] gives the bare message of one object,
/// which can be kept and put into many lists and watch events without being encoded again.
public final class ProtobufEncoder {

  private static final byte[] PREFIX = {'k', '8', 's', 0};
  private static final int TYPICAL_SIZE = 4096;
  private static final int ENVELOPE_SIZE = 64;

  private final Types types;

  public ProtobufEncoder(Types types) {
    this.types = types;
  }

  /// Whether objects of this kind can be written: custom resources cannot.
  public boolean knows(String apiVersion, String kind) {
    return types.find(apiVersion, kind).isPresent();
  }

  /// The whole answer for one object, list or `Status`, by its `apiVersion` and `kind`.
  public byte[] encode(Tree object) {
    var apiVersion = object.textOrEmpty("apiVersion");
    var kind = object.textOrEmpty("kind");
    return envelope(apiVersion, kind, message(types.type(apiVersion, kind), object));
  }

  /// The bare message of one object.
  public byte[] message(Type type, Tree object) {
    var wire = new WireWriter(TYPICAL_SIZE);
    new MessageWriter(wire).write(type, object);
    return wire.toBytes();
  }

  /// The whole answer for a list whose items are messages already, in pieces of which the items are
  /// some; `kind` is the list's.
  public List<byte[]> list(String apiVersion, String kind, Tree metadata, List<byte[]> items) {
    var pieces = new ArrayList<byte[]>(2 * items.size() + 1);
    pieces.add(new byte[0]);
    long length = 0;
    for (var item : items) {
      var wire = new WireWriter(8);
      wire.varint(item.length);
      wire.tag(2, WireReader.BYTES);
      length += wire.mark() + item.length;
      pieces.add(wire.toBytes());
      pieces.add(item);
    }
    var wire = new WireWriter(TYPICAL_SIZE);
    new MessageWriter(wire).write(types.type(apiVersion, kind), Tree.of("metadata", metadata));
    closeEnvelope(wire, apiVersion, kind, length + wire.mark());
    pieces.set(0, wire.toBytes());
    return pieces;
  }

  /// A watch event with its length before it, as the stream carries it. `object` is a whole answer.
  public static byte[] watchEvent(String type, byte[] object) {
    var wire = new WireWriter(object.length + ENVELOPE_SIZE);
    wire.delimited(1, object);
    wire.close(2, 0);
    wire.text(1, type);
    int length = wire.mark();
    wire.raw(
        new byte[] {
          (byte) (length >>> 24), (byte) (length >>> 16), (byte) (length >>> 8), (byte) length
        });
    return wire.toBytes();
  }

  /// The whole answer for an object that is a message already.
  public static byte[] envelope(String apiVersion, String kind, byte[] message) {
    var wire = new WireWriter(message.length + ENVELOPE_SIZE + kind.length() + apiVersion.length());
    wire.raw(message);
    closeEnvelope(wire, apiVersion, kind, message.length);
    return wire.toBytes();
  }

  private static void closeEnvelope(WireWriter wire, String apiVersion, String kind, long length) {
    wire.varint(length);
    wire.tag(2, WireReader.BYTES);
    int mark = wire.mark();
    wire.text(2, kind);
    wire.text(1, apiVersion);
    wire.close(1, mark);
    wire.raw(PREFIX);
  }
}
