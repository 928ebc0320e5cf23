package io.berth.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.server.budget.Visitor;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
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
}
