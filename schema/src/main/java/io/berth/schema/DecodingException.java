package io.berth.schema;

/// A value that does not fit its type, in the words of Go's decoder.
public final class DecodingException extends RuntimeException {

  private static final long serialVersionUID = 1;

  public DecodingException(String message) {
    super(message);
  }
}
