package io.berth.store;

import io.berth.api.Tree;
import java.util.function.Function;

/// How the store turns objects into the bytes it keeps, and back.
public record Codec(Function<Tree, byte[]> encode, Function<byte[], Tree> decode) {}
