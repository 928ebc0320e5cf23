package io.berth.store;

import java.nio.file.Path;

/// What cannot be right about a file: `what` continues a sentence that begins with its name.
record Damage(Path file, String what) {

  /// Nothing is opened over a damage: what is left is for people to judge.
  CorruptStoreException refusal() {
    return new CorruptStoreException("%s %s; it was left as it is".formatted(file, what));
  }
}
