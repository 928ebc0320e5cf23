package io.berth.admission.webhook;

/// A webhook that could not be asked, or gave no answer that makes sense.
public final class CallException extends Exception {

  private static final long serialVersionUID = 1L;

  CallException(String message) {
    super(message, null, false, false);
  }

  public String text() {
    return String.valueOf(getMessage());
  }
}
