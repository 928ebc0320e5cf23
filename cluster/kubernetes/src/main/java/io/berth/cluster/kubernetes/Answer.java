package io.berth.cluster.kubernetes;

import java.io.IOException;
import java.io.InputStream;

/// What a server answers: a head, and a body that is read as it comes.
interface Answer {

  int status();

  String contentType();

  /// What the header `Retry-After` says, or 0.
  int retryAfterSeconds();

  InputStream body();

  /// The whole body; more than `limit` bytes are an error.
  default byte[] bytes(int limit) throws IOException {
    var bytes = body().readNBytes(limit + 1);
    if (bytes.length > limit) {
      throw new IOException("the answer is longer than %d bytes".formatted(limit));
    }
    return bytes;
  }

  /// Reads what is left of a body whose content has been read, such as the end of its last chunk.
  default void drain() throws IOException {
    while (body().read() >= 0) {
      // White space after the document.
    }
  }
}
