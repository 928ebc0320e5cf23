package io.berth.server.http;

import io.berth.api.ApiException;
import io.berth.server.Limits;
import io.berth.server.request.Query;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.websocket.server.ServerWebSocketContainer;

/// One request through the library: its [Call] in, its [Answer] out.
final class Exchange extends Handler.Abstract {

  private static final Set<String> READ_ONLY = Set.of("GET", "HEAD");

  /// As much of a large body is encrypted and written at a time.
  private static final int PORTION = 64 << 10;

  private final Endpoint endpoint;
  private final ServerWebSocketContainer sockets;
  private final SlowClients slow;

  Exchange(Endpoint endpoint, ServerWebSocketContainer sockets, SlowClients slow) {
    this.endpoint = endpoint;
    this.sockets = sockets;
    this.slow = slow;
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

  private void serve(Request request, Response response, Callback callback) {
    try {
      answer(request, response, callback);
    } catch (Exception | Error e) {
      Response.writeError(request, response, callback, e);
    }
  }

  private void answer(Request request, Response response, Callback callback) throws Exception {
    var call = call(request);
    switch (endpoint.answer(call)) {
      case Answer.Whole whole -> {
        discardBody(request);
        send(call, whole, response, callback);
      }
      case Answer.Stream stream when call.isUpgrade() -> {
        var socket = new WatchSocket(stream.frames(), Limits.WATCH_STALL);
        if (!sockets.upgrade((_, _, _) -> socket, request, response, callback)) {
          stream(stream, request, response, callback);
        }
      }
      case Answer.Stream stream -> stream(stream, request, response, callback);
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

  private Call call(Request request) {
    var headers = new HashMap<String, List<String>>();
    for (var field : request.getHeaders()) {
      headers
          .computeIfAbsent(field.getName().toLowerCase(Locale.ROOT), _ -> new ArrayList<>())
          .add(field.getValue() == null ? "" : field.getValue());
    }
    var uri = request.getHttpURI();
    return new Call(
        request.getMethod(),
        decode(uri.getPath()),
        Query.parse(uri.getQuery()),
        headers,
        HttpFront.certificates(request),
        Request.getRemoteAddr(request),
        () -> body(request));
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

  private byte[] body(Request request) {
    try (var _ = slow.reading(request.getConnectionMetaData().getConnection());
        var in = Content.Source.asInputStream(request)) {
      // A length that is told saves buffers: the body is read into an array of its size.
      long told = request.getLength();
      boolean fits = told >= 0 && told <= Limits.BODY_BYTES;
      var bytes = in.readNBytes(fits ? (int) told : Limits.BODY_BYTES + 1);
      if (bytes.length > Limits.BODY_BYTES) {
        // A client that is still sending would miss the answer; a little more is let through.
        var _ = in.skip(Limits.BODY_BYTES);
        throw tooLarge();
      }
      return bytes;
    } catch (IOException e) {
      throw ApiException.badRequest("cannot read the body: " + e.getMessage());
    }
  }

  /// Takes in what the endpoint did not read: a client that is still sending when its connection
  /// closes would see a broken connection instead of the refusal.
  private void discardBody(Request request) {
    if (request.getLength() == 0 || READ_ONLY.contains(request.getMethod())) {
      return;
    }
    try (var _ = slow.reading(request.getConnectionMetaData().getConnection());
        var in = Content.Source.asInputStream(request)) {
      var _ = in.skip(Limits.DISCARDED_BYTES);
    } catch (IOException e) {
      // The client has left; so will the answer.
    }
  }

  private static ApiException tooLarge() {
    return new ApiException(
        413, "RequestEntityTooLarge", "Request entity too large: limit is " + Limits.BODY_BYTES);
  }

  private static void send(Call call, Answer.Whole whole, Response response, Callback callback)
      throws IOException {
    setHeaders(whole, response);
    var body =
        contentType(whole).equals("application/json") ? line(whole.pieces()) : whole.pieces();
    if (body.length() >= Limits.COMPRESS_BYTES && call.header("accept-encoding").contains("gzip")) {
      body = Pieces.of(compressed(body));
      response.getHeaders().put("Content-Encoding", "gzip");
      response.getHeaders().put("Vary", "Accept-Encoding");
    }
    response.getHeaders().put("Content-Length", String.valueOf(body.length()));
    if (call.method().equals("HEAD")) {
      response.write(true, ByteBuffer.allocate(0), callback);
    } else if (body.length() <= PORTION) {
      response.write(true, ByteBuffer.wrap(body.joined()), callback);
    } else {
      sendInPortions(body, response, callback);
    }
  }

  /// A client that takes its time keeps this thread, and nothing but what the body refers to.
  private static void sendInPortions(Pieces body, Response response, Callback callback) {
    try {
      body.forEachPortion(PORTION, portion -> Content.Sink.write(response, false, portion));
      response.write(true, ByteBuffer.allocate(0), callback);
    } catch (IOException e) {
      callback.failed(e);
    }
  }

  /// Kubernetes ends JSON with a newline, and kubectl shows bodies that do in another way.
  private static Pieces line(Pieces json) {
    return json.length() == 0 || json.endsLine() ? json : json.with(new byte[] {'\n'});
  }

  private static byte[] compressed(Pieces body) throws IOException {
    var bytes = new ByteArrayOutputStream((int) (body.length() / 4));
    try (var gzip =
        new GZIPOutputStream(bytes, 64 << 10) {
          {
            def.setLevel(Deflater.BEST_SPEED);
          }
        }) {
      body.forEachPortion(
          PORTION,
          portion -> gzip.write(portion.array(), portion.arrayOffset(), portion.remaining()));
    }
    return bytes.toByteArray();
  }

  /// Sends frames from this thread until the stream ends; a client that left ends it too.
  private static void stream(
      Answer.Stream stream, Request request, Response response, Callback callback) {
    setHeaders(stream, response);
    var outlet = new HttpOutlet(response, contentType(stream));
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

  private static void setHeaders(Answer answer, Response response) {
    response.setStatus(answer.code());
    for (var header : answer.headers()) {
      response.getHeaders().add(header.getKey(), header.getValue());
    }
  }

  private static String contentType(Answer answer) {
    for (Map.Entry<String, String> header : answer.headers()) {
      if (header.getKey().equals("Content-Type")) {
        return header.getValue();
      }
    }
    return "";
  }
}
