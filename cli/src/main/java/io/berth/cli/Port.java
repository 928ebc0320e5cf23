package io.berth.cli;

/// Where to listen: on the port that `flag` named, or when nobody named one on a usual port, and
/// then on any free one when that is taken.
///
/// @param number 0 lets the system choose
public record Port(String flag, int number, boolean isNamed) {

  static Port of(String flag, String text, int usual) {
    return text.isEmpty() ? new Port(flag, usual, false) : new Port(flag, Options.port(text), true);
  }

  /// Any free one.
  public static Port any() {
    return new Port("", 0, true);
  }

  /// Says that somebody else listens there.
  public UserError taken(String address) {
    return new UserError(
        "port %d on %s is taken; choose another one with %s".formatted(number, address, flag));
  }
}
