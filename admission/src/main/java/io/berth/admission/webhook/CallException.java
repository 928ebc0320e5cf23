package io.berth.admission.webhook;

/// A webhook that could not be asked, or gave no answer that makes sense.
public final class CallException extends Exception {

  private static final long serialVersionUID = 1L;

  private final boolean unreachable;

  CallException(String message) {
    this(message, false);
  }

  private CallException(String message, boolean unreachable) {
    super(message, null, false, false);
    this.unreachable = unreachable;
  }

  /// Nobody is there who could have been asked.
  static CallException unreachable(String message) {
    return new CallException(message, true);
  }

  /// The same, with what was tried before it.
  CallException after(String attempt) {
    return new CallException(attempt + text(), unreachable);
  }

  /// Whether nobody was there; `false` when somebody was, but gave no good answer in time.
  public boolean isUnreachable() {
    return unreachable;
  }

  public String text() {
    return String.valueOf(getMessage());
  }
}
