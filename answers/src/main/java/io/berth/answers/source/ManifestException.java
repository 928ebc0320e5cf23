package io.berth.answers.source;

import io.berth.codec.FieldException;
import io.berth.codec.SyntaxException;

/// A file that cannot be read as Kubernetes objects: where, what is wrong, and the way out.
public final class ManifestException extends RuntimeException {

  private static final long serialVersionUID = 1;

  public ManifestException(Origin at, String problem) {
    super(at + ": " + problem);
  }

  static ManifestException of(Origin at, SyntaxException e) {
    return new ManifestException(
        new Origin(at.file(), at.line() + e.line() - 1),
        "column %d: %s".formatted(e.column(), e.getMessage()));
  }

  static ManifestException of(Manifest manifest, FieldException e) {
    return new ManifestException(
        manifest.origin(),
        "%s %s: %s".formatted(manifest.kind(), manifest.reference().key(), e.getMessage()));
  }
}
