package io.berth.server.registry;

import io.berth.api.Chance;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.UUID;

/// Random uids. They are cut from portions of random bytes: asking the system for sixteen at a time
/// would cost more than all else about them.
public final class Uids {

  private static final int PORTION = 4 << 10;

  private static final SecureRandom RANDOM = new SecureRandom();
  private static final ByteBuffer LEFT = ByteBuffer.allocate(PORTION).limit(0);

  private Uids() {}

  public static String next() {
    if (Chance.isGiven()) {
      var source = Chance.or(RANDOM);
      return of(source.nextLong(), source.nextLong());
    }
    long most;
    long least;
    synchronized (LEFT) {
      if (!LEFT.hasRemaining()) {
        RANDOM.nextBytes(LEFT.array());
        LEFT.clear();
      }
      most = LEFT.getLong();
      least = LEFT.getLong();
    }
    return of(most, least);
  }

  private static String of(long most, long least) {
    // Version 4, variant 2: what is random is said to be.
    return new UUID((most & ~0xf000L) | 0x4000L, (least & ~(3L << 62)) | (1L << 63)).toString();
  }
}
