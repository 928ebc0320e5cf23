package io.berth.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.eclipse.jetty.io.AbstractConnection;
import org.eclipse.jetty.io.ByteArrayEndPoint;
import org.eclipse.jetty.util.thread.ScheduledExecutorScheduler;
import org.junit.jupiter.api.Test;

/// Time is what each test says it is.
class SlowClientsTest {

  private static final Duration HEAD = Duration.ofSeconds(32);
  private static final Duration BODY = Duration.ofSeconds(60);

  private final SlowClients slow = new SlowClients(HEAD, BODY, BODY);
  private final Wire wire = new Wire();
  private long opened;

  private void open() {
    slow.onOpened(wire);
    opened = System.nanoTime();
  }

  @Test
  void aConnectionOnWhichNoRequestBeginsIsEnded() {
    open();
    sweepAfter(31);
    assertThat(wire.isOpen()).isTrue();
    sweepAfter(33);
    assertThat(wire.isOpen()).isFalse();
  }

  @Test
  void aHeadThatTricklesIsEndedHoweverOftenAByteComes() {
    open();
    for (int second = 1; second <= 31; second++) {
      wire.bytes++;
      sweepAfter(second);
    }
    assertThat(wire.isOpen()).isTrue();
    sweepAfter(33);
    assertThat(wire.isOpen()).isFalse();
  }

  @Test
  void theHeadOfALaterRequestHasAsMuchTimeAsTheFirst() {
    open();
    serveOne();
    sweepAfter(100);
    assertThat(wire.isOpen()).as("silent between two requests").isTrue();

    wire.bytes++;
    sweepAfter(101);
    wire.bytes++;
    sweepAfter(132);
    assertThat(wire.isOpen()).isTrue();
    sweepAfter(134);
    assertThat(wire.isOpen()).isFalse();
  }

  @Test
  void aRequestBeingServedMayTakeAsLongAsItTakes() {
    open();
    wire.bytes = 100;
    slow.serving(wire);
    sweepAfter(1800);
    wire.bytes += 5;
    sweepAfter(3600);
    slow.served(wire);
    sweepAfter(3601);

    assertThat(wire.isOpen()).isTrue();
  }

  @Test
  void manyRequestsInARowAreNoSlowHead() {
    open();
    for (int second = 1; second < 200; second++) {
      serveOne();
      sweepAfter(second);
    }
    assertThat(wire.isOpen()).isTrue();
  }

  private void serveOne() {
    wire.bytes += 100;
    slow.serving(wire);
    slow.served(wire);
  }

  @Test
  void aBodyHasAMinute() {
    open();
    wire.bytes = 100;
    slow.serving(wire);
    try (var _ = slow.reading(wire)) {
      sweepAfter(59);
      assertThat(wire.isOpen()).isTrue();
    }
    sweepAfter(62);
    assertThat(wire.isOpen()).as("a body that has come").isTrue();

    var _ = slow.reading(wire);
    sweepAfter(62);
    assertThat(wire.isOpen()).isFalse();
  }

  private void sweepAfter(int seconds) {
    slow.sweep(opened + Duration.ofSeconds(seconds).toNanos());
  }

  /// A connection that says how many bytes came.
  private static final class Wire extends AbstractConnection {

    private long bytes;

    Wire() {
      super(new ByteArrayEndPoint(new ScheduledExecutorScheduler(), 0), Runnable::run);
    }

    boolean isOpen() {
      return getEndPoint().isOpen();
    }

    @Override
    public long getBytesIn() {
      return bytes;
    }

    @Override
    public void onFillable() {}
  }
}
