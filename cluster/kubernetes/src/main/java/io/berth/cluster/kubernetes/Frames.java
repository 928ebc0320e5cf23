package io.berth.cluster.kubernetes;

/// The numbers of HTTP/2 (RFC 9113): types of frames, flags, settings and error codes.
final class Frames {

  static final int DATA = 0;
  static final int HEADERS = 1;
  static final int RESET = 3;
  static final int SETTINGS = 4;
  static final int PUSH = 5;
  static final int PING = 6;
  static final int GO_AWAY = 7;
  static final int WINDOW_UPDATE = 8;
  static final int CONTINUATION = 9;

  static final int END_STREAM = 0x1;
  static final int ACKNOWLEDGED = 0x1;
  static final int END_HEADERS = 0x4;
  static final int PADDED = 0x8;
  static final int PRIORITY = 0x20;

  static final int SETTING_TABLE = 1;
  static final int SETTING_PUSH = 2;
  static final int SETTING_STREAMS = 3;
  static final int SETTING_WINDOW = 4;
  static final int SETTING_FRAME = 5;

  static final int REFUSED = 7;
  static final int CANCEL = 8;

  /// What either side may send before it is told otherwise.
  static final int FIRST_WINDOW = 65_535;

  static final int FIRST_MAX_FRAME = 16 << 10;

  private Frames() {}
}
