package io.berth.store;

import io.berth.api.Sharing;
import io.berth.api.Tree;
import java.util.function.Function;

/// How the store turns objects into the bytes it keeps, and back.
public record Codec(Function<Tree, byte[]> encode, Function<byte[], Tree> decode) {

  /// The same, with equal parts of what is decoded as one object.
  Codec sharing(Sharing sharing) {
    return new Codec(encode, bytes -> sharing.freeze(decode.apply(bytes)));
  }
}
