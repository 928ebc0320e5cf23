package io.berth.server.http;

import io.berth.server.budget.Visitor;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Blocker;

/// Writes pieces of an answer: encrypts each in a turn of its owner, and waits outside of it for
/// the client to take it.
final class Writer {

  private final Response response;
  private final Visitor visitor;
  private final SlowClients.Sending sending;

  Writer(Response response, Visitor visitor, SlowClients.Sending sending) {
    this.response = response;
    this.visitor = visitor;
    this.sending = sending;
  }

  void write(boolean last, ByteBuffer bytes) throws IOException {
    visitor.goOn();
    sending.begin();
    try (var taken = Blocker.callback()) {
      response.write(last, bytes, taken);
      visitor.rest();
      taken.block();
    } finally {
      sending.end();
    }
    if (!last) {
      letOthersRun();
    }
  }

  /// A client that takes all at once must not keep others from the processor until the end.
  // Virtual threads are never interrupted by others: this is the only way.
  @SuppressWarnings("ThreadPriorityCheck")
  private static void letOthersRun() {
    Thread.yield();
  }
}
