package io.berth.server.http;

import io.berth.api.ApiException;
import io.berth.codec.Json;
import io.berth.server.Limits;
import io.berth.server.budget.Use;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.eclipse.jetty.server.Response;

/// Sends a whole answer, portion by portion, from the thread of its request.
///
/// What it takes is charged to the client until the last byte is out: its body, as far as it is
/// there for this answer alone, and one portion, compressed as it goes.
final class Outgoing {

  private static final Set<String> READ_ONLY = Set.of("GET", "HEAD");

  /// As much of a large body is encrypted and written at a time.
  private static final int PORTION = 64 << 10;

  /// What compressing takes beside the portions.
  private static final int COMPRESSOR_BYTES = 256 << 10;

  private final Call call;
  private final Response response;
  private final Writer out;

  Outgoing(Call call, Response response, Writer out) {
    this.call = call;
    this.response = response;
    this.out = out;
  }

  void send(Answer.Whole whole) throws IOException {
    var answer = charged(whole);
    setHeaders(answer, response);
    var body =
        contentType(answer).equals("application/json") ? line(answer.pieces()) : answer.pieces();
    boolean compressed = isCompressed(body);
    if (compressed) {
      response.getHeaders().put("Content-Encoding", "gzip");
      response.getHeaders().put("Vary", "Accept-Encoding");
    } else {
      response.getHeaders().put("Content-Length", String.valueOf(body.length()));
    }
    if (call.method().equals("HEAD")) {
      out.write(true, ByteBuffer.allocate(0));
    } else if (compressed) {
      compress(body);
    } else if (body.length() <= PORTION) {
      out.write(true, ByteBuffer.wrap(body.joined()));
    } else {
      body.forEachPortion(PORTION, portion -> out.write(false, portion));
      out.write(true, ByteBuffer.allocate(0));
    }
  }

  private boolean isCompressed(Pieces body) {
    return body.length() >= Limits.COMPRESS_BYTES
        && call.header("accept-encoding").contains("gzip");
  }

  /// Something read can still be refused; something done cannot.
  private Answer.Whole charged(Answer.Whole whole) {
    var visitor = call.visitor();
    visitor.release(Use.ANSWERS);
    var pieces = whole.pieces();
    long bytes =
        pieces.owned()
            + Math.min(pieces.length(), PORTION)
            + (isCompressed(pieces) ? COMPRESSOR_BYTES : 0);
    if (READ_ONLY.contains(call.method())) {
      try {
        visitor.take(Use.ANSWERS, bytes);
        return whole;
      } catch (ApiException e) {
        return refusal(e);
      }
    }
    visitor.force(Use.ANSWERS, bytes);
    return whole;
  }

  static Answer.Whole refusal(ApiException e) {
    var headers =
        List.of(Map.entry("Content-Type", "application/json"), Map.entry("Retry-After", "1"));
    return new Answer.Whole(e.code(), headers, Json.write(e.status()));
  }

  /// Kubernetes ends JSON with a newline, and kubectl shows bodies that do in another way.
  private static Pieces line(Pieces json) {
    return json.length() == 0 || json.endsLine() ? json : json.with(new byte[] {'\n'});
  }

  private void compress(Pieces body) throws IOException {
    try (var gzip =
        new GZIPOutputStream(new Portions(), PORTION) {
          {
            def.setLevel(Deflater.BEST_SPEED);
          }
        }) {
      body.forEachPortion(
          PORTION,
          portion -> {
            call.visitor().goOn();
            gzip.write(portion.array(), portion.arrayOffset(), portion.remaining());
          });
    }
  }

  /// Gathers compressed bytes and sends them on.
  private final class Portions extends OutputStream {

    private final ByteBuffer portion = ByteBuffer.allocate(PORTION);

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      for (int at = offset; at < offset + length; ) {
        int fitting = Math.min(portion.remaining(), offset + length - at);
        portion.put(bytes, at, fitting);
        at += fitting;
        if (!portion.hasRemaining()) {
          send(false);
        }
      }
    }

    private void send(boolean last) throws IOException {
      out.write(last, portion.flip());
      portion.clear();
    }

    @Override
    public void close() throws IOException {
      send(true);
    }
  }

  static void setHeaders(Answer answer, Response response) {
    response.setStatus(answer.code());
    for (var header : answer.headers()) {
      response.getHeaders().add(header.getKey(), header.getValue());
    }
  }

  static String contentType(Answer answer) {
    for (Map.Entry<String, String> header : answer.headers()) {
      if (header.getKey().equals("Content-Type")) {
        return header.getValue();
      }
    }
    return "";
  }
}
