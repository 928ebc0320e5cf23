package io.berth.server.http;

import io.berth.api.ApiException;
import io.berth.server.Limits;
import io.berth.server.budget.Memory;
import io.berth.server.budget.Processor;
import io.berth.server.budget.Use;
import io.berth.server.budget.Visitor;
import io.berth.server.request.Query;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.websocket.server.ServerWebSocketContainer;

/// One request through the library: its [Call] in, its [Answer] out.
final class Exchange extends Handler.Abstract {

  private final Endpoint endpoint;
  private final Memory memory;
  private final Connections connections;
  private final SlowClients slow;
  private final ServerWebSocketContainer sockets;

  Exchange(
      Endpoint endpoint,
      Memory memory,
      Connections connections,
      SlowClients slow,
      ServerWebSocketContainer sockets) {
    this.endpoint = endpoint;
    this.memory = memory;
    this.connections = connections;
    this.slow = slow;
    this.sockets = sockets;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    var connection = request.getConnectionMetaData().getConnection();
    slow.serving(connection);
    var served = new Served(callback, connection);
    // HTTP/1.1 requests come on the few threads that move bytes. One that waits, for the rest of
    // its body, the disk or a webhook, would keep such a thread from all others.
    if (Thread.currentThread().isVirtual()) {
      serve(request, response, served);
    } else {
      Thread.startVirtualThread(() -> serve(request, response, served));
    }
    return true;
  }

  /// Requests that the client took back count until they are done: work that nobody waits for is
  /// work all the same.
  private void serve(Request request, Response response, Served served) {
    var connection = served.connection;
    if (!connections.begin(connection)) {
      connections.done(connection);
      Connections.end(connection, "too many requests were taken back");
      served.failed(new IOException("too many requests were taken back"));
      return;
    }
    try {
      answer(request, response, served);
    } catch (Exception | Error e) {
      Response.writeError(request, response, served, e);
    } finally {
      connections.done(connection);
    }
  }

  private void answer(Request request, Response response, Served served) throws Exception {
    var gone = new AtomicBoolean();
    request.addFailureListener(_ -> gone.set(true));
    if (gone.get()) {
      served.failed(new IOException("the client has left"));
      return;
    }
    var visitor =
        new Visitor(
            memory,
            Processor.SHARED,
            Request.getRemoteAddr(request),
            connections.owner(served.connection),
            connections.host(served.connection));
    var body = new Incoming(request, visitor, slow);
    var call = call(request, body, visitor);
    boolean kept = false;
    try {
      visitor.work();
      var answer = endpoint.answer(call);
      visitor.release(Use.BODIES);
      kept = send(call, answer, body, request, response, served);
    } catch (ApiException e) {
      refuse(e, call, response, served);
    } finally {
      if (!kept) {
        visitor.close();
      }
    }
  }

  /// Strangers are not even told why: there are too many of them.
  private void refuse(ApiException e, Call call, Response response, Served served) {
    if (connections.owner(served.connection) == null) {
      Connections.end(served.connection, "too many strangers wait");
      served.failed(new IOException("too many strangers wait"));
    } else {
      send(call, Outgoing.refusal(e), response, served);
    }
  }

  /// Whether what the request holds is still needed.
  private boolean send(
      Call call, Answer answer, Incoming body, Request request, Response response, Served served)
      throws Exception {
    switch (answer) {
      case Answer.Whole whole -> {
        call.visitor().rest();
        body.discardRest();
        send(call, whole, response, served);
      }
      case Answer.Stream stream when call.isUpgrade() -> {
        call.visitor().take(Use.STREAMS, Limits.STREAM_BYTES);
        var socket = new WatchSocket(stream.frames(), Limits.WATCH_STALL, call.visitor());
        if (sockets.upgrade((_, _, _) -> socket, request, response, served)) {
          return true;
        }
        stream(stream, call, request, response, served);
      }
      case Answer.Stream stream -> {
        try {
          call.visitor().take(Use.STREAMS, Limits.STREAM_BYTES);
        } catch (ApiException e) {
          send(call, Outgoing.refusal(e), response, served);
          return false;
        }
        stream(stream, call, request, response, served);
      }
    }
    return false;
  }

  private void send(Call call, Answer.Whole whole, Response response, Callback callback) {
    try {
      new Outgoing(call, response, new Writer(response, call.visitor(), slow.sending()))
          .send(whole);
      callback.succeeded();
    } catch (IOException e) {
      callback.failed(e);
    }
  }

  /// Tells that a request is done before the library reads the next one.
  private final class Served extends Callback.Nested {

    private final Connection connection;

    Served(Callback callback, Connection connection) {
      super(callback);
      this.connection = connection;
    }

    @Override
    public void succeeded() {
      slow.served(connection);
      super.succeeded();
    }

    @Override
    public void failed(Throwable cause) {
      slow.served(connection);
      super.failed(cause);
    }
  }

  private static Call call(Request request, Incoming body, Visitor visitor) {
    var headers = new HashMap<String, List<String>>();
    for (var field : request.getHeaders()) {
      headers
          .computeIfAbsent(field.getName().toLowerCase(Locale.ROOT), _ -> new ArrayList<>())
          .add(field.getValue() == null ? "" : field.getValue());
    }
    var uri = request.getHttpURI();
    // HTTP/2 has the host in the address.
    if (uri.getAuthority() != null) {
      headers.putIfAbsent("host", List.of(uri.getAuthority()));
    }
    return new Call(
        request.getMethod(),
        decode(uri.getPath()),
        Query.parse(uri.getQuery()),
        headers,
        HttpFront.certificates(request),
        Request.getRemoteAddr(request),
        body,
        visitor);
  }

  private static String decode(String path) {
    if (path.indexOf('%') < 0) {
      return path;
    }
    try {
      return URLDecoder.decode(path.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return path;
    }
  }

  /// Sends frames from this thread until the stream ends; a client that left ends it too.
  private void stream(
      Answer.Stream stream, Call call, Request request, Response response, Callback callback) {
    Outgoing.setHeaders(stream, response);
    var out = new Writer(response, call.visitor(), slow.sending());
    var outlet = new HttpOutlet(out, Outgoing.contentType(stream));
    request.addIdleTimeoutListener(_ -> outlet.isStalled());
    request.addFailureListener(_ -> outlet.close());
    try {
      outlet.open();
      stream.frames().writeTo(outlet);
      response.write(true, ByteBuffer.allocate(0), callback);
    } catch (IOException e) {
      callback.failed(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      callback.failed(e);
    } finally {
      outlet.close();
    }
  }
}
