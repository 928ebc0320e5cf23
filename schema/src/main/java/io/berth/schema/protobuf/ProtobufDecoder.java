package io.berth.schema.protobuf;

import io.berth.api.Tree;
import io.berth.schema.Decoded;
import io.berth.schema.Decoder;
import io.berth.schema.DecodingException;
import io.berth.schema.FieldValidation;
import io.berth.schema.Types;

/// Reads request bodies of `application/vnd.kubernetes.protobuf`.
///
/// A body is four bytes, `k8s` and zero, and an envelope that names the kind and holds the message.
/// Fields the table does not know are skipped: field validation is about JSON and YAML only.
public final class ProtobufDecoder {

  private static final byte[] PREFIX = {'k', '8', 's', 0};

  private final Types types;
  private final Decoder decoder;

  public ProtobufDecoder(Types types) {
    this.types = types;
    this.decoder = new Decoder(types);
  }

  /// Decodes a body that must be a `kind` of `apiVersion`.
  public Decoded decode(byte[] body, String apiVersion, String kind) {
    return decode(body, apiVersion, kind, false);
  }

  /// Decodes a kind that every group version knows, such as `DeleteOptions`: which version the body
  /// names makes no difference.
  public Decoded decodeShared(byte[] body, String kind) {
    return decode(body, "v1", kind, true);
  }

  private Decoded decode(byte[] body, String apiVersion, String kind, boolean shared) {
    Tree tree;
    try {
      tree = read(body, apiVersion, kind, shared);
    } catch (DecodingException e) {
      throw Decoder.unrecognized(kind, body, String.valueOf(e.getMessage()), "");
    }
    return decoder.tree(tree, apiVersion, kind, FieldValidation.IGNORE);
  }

  private Tree read(byte[] body, String apiVersion, String kind, boolean shared) {
    var envelope = envelope(body);
    var names = new Tree();
    byte[] raw = {};
    while (envelope.hasMore()) {
      switch (envelope.field()) {
        case 1 -> readTypeMeta(envelope.message(), names);
        case 2 -> raw = envelope.bytes();
        default -> envelope.skip();
      }
    }
    if (shared && names.textOrEmpty("kind").equals(kind)) {
      names.put("apiVersion", apiVersion);
    }
    var type =
        types.find(
            nonEmpty(names.textOrEmpty("apiVersion"), apiVersion),
            nonEmpty(names.textOrEmpty("kind"), kind));
    // A kind nobody knows is refused by the decoder, which has the words for it.
    if (type.isPresent()) {
      new MessageReader().read(type.get(), new WireReader(raw)).fields().forEach(names::put);
    }
    return names;
  }

  private static String nonEmpty(String text, String otherwise) {
    return text.isEmpty() ? otherwise : text;
  }

  private static void readTypeMeta(WireReader wire, Tree names) {
    while (wire.hasMore()) {
      switch (wire.field()) {
        case 1 -> names.put("apiVersion", wire.text());
        case 2 -> names.put("kind", wire.text());
        default -> wire.skip();
      }
    }
  }

  private static WireReader envelope(byte[] body) {
    for (int i = 0; i < PREFIX.length; i++) {
      if (i >= body.length || body[i] != PREFIX[i]) {
        throw new DecodingException(
            "provided data does not appear to be a protobuf message, expected prefix [107 56 115"
                + " 0]");
      }
    }
    return new WireReader(body, PREFIX.length);
  }
}
