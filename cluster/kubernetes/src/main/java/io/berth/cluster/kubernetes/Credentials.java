package io.berth.cluster.kubernetes;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What goes into the `Authorization` header of each request.
///
/// A client certificate needs none. Called by many threads at once.
interface Credentials {

  Credentials NONE = () -> null;

  /// The whole header value, or `null` for none.
  @Nullable String header();

  /// The server did not believe this header: unless it is an old one, the source is read again
  /// before the next one.
  default void refused(@Nullable String header) {}

  static Credentials token(String token) {
    var header = "Bearer " + token;
    return () -> header;
  }

  static Credentials password(String user, String password) {
    var both = (user + ":" + password).getBytes(StandardCharsets.UTF_8);
    var header = "Basic " + Base64.getEncoder().encodeToString(both);
    return () -> header;
  }

  /// Kubernetes replaces the file before the token in it expires, so it is read anew each minute.
  static Credentials tokenFile(Path file) {
    return new TokenFile(file);
  }

  /// See [#tokenFile(Path)].
  final class TokenFile implements Credentials {

    private static final Logger log = LoggerFactory.getLogger(TokenFile.class);
    private static final long AGE_NANOS = Duration.ofMinutes(1).toNanos();

    private final Path file;
    private String header;
    private long readAt;

    private TokenFile(Path file) {
      this.file = file;
      this.header = read();
      this.readAt = System.nanoTime();
    }

    @Override
    public synchronized String header() {
      if (System.nanoTime() - readAt > AGE_NANOS) {
        readAgain();
      }
      return header;
    }

    @Override
    public synchronized void refused(@Nullable String used) {
      if (header.equals(used)) {
        readAgain();
      }
    }

    // A file that is just being replaced cannot be read; the token in use may be good for longer.
    private void readAgain() {
      readAt = System.nanoTime();
      try {
        header = read();
      } catch (AccessException e) {
        log.warn("{}; going on with the token read before", e.getMessage());
      }
    }

    private String read() {
      return "Bearer " + Pem.read(file).strip();
    }
  }
}
