package io.berth.server.identity;

import java.nio.file.Path;

/// A file with a key or a certificate is not what was written; it was left as it is.
public final class DamagedKeyException extends RuntimeException {

  private static final long serialVersionUID = 1;

  DamagedKeyException(Path file, String what) {
    super(
        ("%s %s; put a copy of it back, or move %s away: new keys are made then, and what was given"
                + " out under the old ones is void")
            .formatted(file, what, file.getParent()));
  }
}
