package io.berth.kinds;

/// Something taken for an object that is not written yet: kept when the write succeeds, given back
/// when it does not.
public interface Reservation extends AutoCloseable {

  /// Nothing was taken.
  Reservation NONE =
      new Reservation() {
        @Override
        public void keep() {}

        @Override
        public void close() {}
      };

  /// The write succeeded; what the old object alone held is free now.
  void keep();

  /// Gives everything back unless it was kept.
  @Override
  void close();
}
