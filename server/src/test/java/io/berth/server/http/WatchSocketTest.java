package io.berth.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.server.budget.Visitor;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.websocket.api.Session;
import org.junit.jupiter.api.Test;

/// Watches over WebSockets.
class WatchSocketTest {

  @Test
  void aClientThatTakesNothingIsCutOff() throws Exception {
    var left = new CountDownLatch(1);
    var cut = new CountDownLatch(1);
    // Takes messages and never says that one has gone out.
    var session =
        (Session)
            Proxy.newProxyInstance(
                Session.class.getClassLoader(),
                new Class<?>[] {Session.class},
                (_, method, _) -> {
                  if (method.getName().equals("disconnect")) {
                    cut.countDown();
                  }
                  return method.getReturnType() == boolean.class ? false : null;
                });
    var socket =
        new WatchSocket(
            outlet -> {
              try {
                outlet.send(new byte[] {'{', '}'});
              } finally {
                left.countDown();
              }
            },
            Duration.ofMillis(20),
            Visitor.guest());

    socket.onWebSocketOpen(session);

    left.await();
    cut.await();
    assertThat(cut.getCount()).isZero();
  }

  @Test
  void aClientThatAnswersNoPingIsCutOff() throws Exception {
    var pings = new AtomicInteger();
    var cut = new CountDownLatch(1);
    var session =
        (Session)
            Proxy.newProxyInstance(
                Session.class.getClassLoader(),
                new Class<?>[] {Session.class},
                (_, method, _) -> {
                  switch (method.getName()) {
                    case "sendPing" -> pings.incrementAndGet();
                    case "disconnect" -> cut.countDown();
                    default -> {}
                  }
                  return method.getReturnType() == boolean.class ? true : null;
                });
    var open = new CountDownLatch(1);
    var socket =
        new WatchSocket(
            _ -> open.await(), Duration.ofSeconds(60), Duration.ofMillis(1), Visitor.guest());

    socket.onWebSocketOpen(session);

    cut.await();
    assertThat(pings.get()).isEqualTo(3);
    open.countDown();
  }
}
