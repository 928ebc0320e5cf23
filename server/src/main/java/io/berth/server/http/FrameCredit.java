package io.berth.server.http;

import io.berth.server.Limits;
import java.io.IOException;
import org.eclipse.jetty.http2.HTTP2Connection;
import org.eclipse.jetty.http2.HTTP2Session;
import org.eclipse.jetty.http2.api.Session;
import org.eclipse.jetty.http2.frames.DataFrame;
import org.eclipse.jetty.http2.frames.Frame;
import org.eclipse.jetty.http2.frames.FrameType;
import org.eclipse.jetty.http2.frames.ResetFrame;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.RateControl;

/// How many frames that ask for nothing a connection may still send.
///
/// Each such frame costs: resets, pings, settings, priorities, windows, crumbs of bodies, empty or
/// unknown ones. Credit comes back with time, and with what the server sends: a client that takes
/// answers may open windows as often as it likes. Strangers have little. The library reports most
/// of these frames to its rate control; [#LISTENER] adds those that it lets pass. Used by any
/// thread of the connection.
final class FrameCredit implements RateControl {

  static final RateControl.Factory FACTORY =
      new RateControl.Factory() {
        @Override
        public RateControl newRateControl(EndPoint endPoint) {
          return new FrameCredit();
        }
      };

  /// A reset takes a request with it, and clients written in Go send a ping along.
  private static final int RESET = 2;

  /// For the head of each answer, and for as many bytes: clients open two windows, each for more
  /// than that.
  private static final int EARNED_BY_HEAD = 4;

  private static final int EARNING_BYTES = 1 << 10;

  /// Shorter pieces of a body are crumbs.
  private static final int CRUMB_BYTES = 256;

  /// Frames that go out, with all bytes so far.
  private record Sent(boolean head, long bytes) {}

  /// Who is at the other end is known.
  private enum Known {
    KNOWN
  }

  private int most = Limits.STRANGE_FRAMES_AT_ONCE;
  private long nanosPerFrame = 1_000_000_000 / Limits.STRANGE_FRAMES_PER_SECOND;
  private long credit = most;
  private long since = System.nanoTime();
  private long sent;

  @Override
  public synchronized boolean onEvent(Object event) {
    if (event instanceof Sent(var head, var bytes)) {
      long pieces = (bytes - sent) / EARNING_BYTES;
      sent += pieces * EARNING_BYTES;
      earn(pieces + (head ? EARNED_BY_HEAD : 0));
      return true;
    }
    if (event instanceof Known) {
      most = Limits.FRAMES_AT_ONCE;
      nanosPerFrame = 1_000_000_000 / Limits.FRAMES_PER_SECOND;
      credit = most;
      return true;
    }
    long now = System.nanoTime();
    long frames = (now - since) / nanosPerFrame;
    since += frames * nanosPerFrame;
    earn(frames);
    credit -= event instanceof ResetFrame ? RESET : 1;
    return credit >= 0;
  }

  private void earn(long frames) {
    credit = Math.min(most, credit + frames);
  }

  /// The connection has more credit from now on.
  static void known(Connection connection) {
    if (connection instanceof HTTP2Connection http2) {
      boolean _ = http2.getSession().getParser().rateControlOnEvent(Known.KNOWN);
    }
  }

  /// Reports to the credit of a connection what the library does not.
  static final HTTP2Session.FrameListener LISTENER =
      new HTTP2Session.FrameListener() {
        @Override
        public void onIncomingFrame(Session session, Frame frame) {
          boolean free =
              switch (frame) {
                case DataFrame data -> data.isEndStream() || data.remaining() >= CRUMB_BYTES;
                default -> frame.getType() != FrameType.WINDOW_UPDATE;
              };
          if (!free
              && session instanceof HTTP2Session http2
              && !http2.getParser().rateControlOnEvent(frame)) {
            end(http2);
          }
        }

        @Override
        public void onOutgoingFrame(Session session, Frame frame) {
          var type = frame.getType();
          if ((type == FrameType.DATA || type == FrameType.HEADERS)
              && session instanceof HTTP2Session http2) {
            var sent = new Sent(type == FrameType.HEADERS, http2.getBytesWritten());
            boolean _ = http2.getParser().rateControlOnEvent(sent);
          }
        }
      };

  /// Ends a connection that does nothing good, without a last word to each of its streams.
  static void end(HTTP2Session session) {
    session.getEndPoint().close(new IOException("too many frames that ask for nothing"));
  }
}
