package io.berth.server.http;

import io.berth.server.budget.Visitor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.websocket.api.Callback;
import org.eclipse.jetty.websocket.api.Session;

/// A watch over a WebSocket: one event per text message.
///
/// Proxies cut connections that are silent, so a ping goes out every half minute. A client that
/// answers none of three is gone.
public final class WatchSocket implements Session.Listener.AutoDemanding, Answer.Outlet {

  private static final Duration PING = Duration.ofSeconds(30);
  private static final int UNANSWERED = 3;

  private final Answer.Frames frames;
  private final Duration stall;
  private final Duration ping;
  private final Visitor visitor;
  private final AtomicInteger unanswered = new AtomicInteger();
  private final CloseSignal closed = new CloseSignal();
  private volatile @org.jspecify.annotations.Nullable Session session;

  /// A client that takes nothing for as long as `stall` is cut off. `visitor` holds what it holds
  /// until the watch ends.
  WatchSocket(Answer.Frames frames, Duration stall, Visitor visitor) {
    this(frames, stall, PING, visitor);
  }

  WatchSocket(Answer.Frames frames, Duration stall, Duration ping, Visitor visitor) {
    this.frames = frames;
    this.stall = stall;
    this.ping = ping;
    this.visitor = visitor;
  }

  @Override
  public void onWebSocketOpen(Session opened) {
    session = opened;
    Thread.ofVirtual().name("websocket-watch").start(() -> run(opened));
    Thread.ofVirtual().name("websocket-ping").start(() -> ping(opened));
  }

  private void run(Session opened) {
    try {
      frames.writeTo(this);
      opened.close(1000, "", Callback.NOOP);
    } catch (IOException e) {
      opened.disconnect();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      opened.disconnect();
    } finally {
      visitor.close();
    }
  }

  private void ping(Session opened) {
    try {
      while (opened.isOpen()) {
        Thread.sleep(ping);
        if (unanswered.incrementAndGet() > UNANSWERED) {
          opened.disconnect();
          closed.close();
          return;
        }
        opened.sendPing(ByteBuffer.allocate(0), Callback.NOOP);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void onWebSocketPong(ByteBuffer payload) {
    unanswered.set(0);
  }

  @Override
  public void send(byte[] frame) throws IOException {
    var open = session;
    if (open == null) {
      throw new IOException("the socket is not open");
    }
    var sent = new Callback.Completable();
    visitor.goOn();
    open.sendText(new String(frame, StandardCharsets.UTF_8), sent);
    visitor.rest();
    try {
      sent.get(stall.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw new IOException("the client takes nothing", e);
    } catch (ExecutionException e) {
      throw new IOException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  @Override
  public void onClose(Runnable action) {
    closed.onClose(action);
  }

  /// Clients leave without a word every day.
  @Override
  public void onWebSocketError(Throwable cause) {
    if (session == null) {
      visitor.close();
    }
    closed.close();
  }

  @Override
  public void onWebSocketClose(int status, String reason, Callback callback) {
    closed.close();
    callback.succeed();
  }
}
