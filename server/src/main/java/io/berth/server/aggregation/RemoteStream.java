package io.berth.server.aggregation;

import io.berth.api.ApiException;
import io.berth.server.Limits;
import io.berth.server.budget.Use;
import io.berth.server.http.Answer;
import io.berth.server.http.Call;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/// An answer that lasts: passed on as it comes, until either side ends it.
///
/// Lines of JSON go one by one, so that a WebSocket gets a message for each; all else goes as it
/// is.
final class RemoteStream implements Answer.Frames {

  private static final int PORTION = 16 << 10;

  private final InputStream in;
  private final Call call;
  private final boolean lines;
  private final CompletableFuture<Void> begun = new CompletableFuture<>();

  private RemoteStream(InputStream in, Call call, boolean lines) {
    this.in = in;
    this.call = call;
    this.lines = lines;
  }

  static Answer of(HttpResponse<InputStream> response, Call call) {
    var headers = RemoteHeaders.back(response.headers());
    var type = contentType(headers);
    boolean lines =
        call.isUpgrade() ? type.startsWith("application/json") : type.equals("application/json");
    var stream = new RemoteStream(response.body(), call, lines);
    // A client that is refused or gone by now never lets it begin.
    var _ =
        stream
            .begun
            .orTimeout(Limits.REMOTE_ANSWER.toMillis(), TimeUnit.MILLISECONDS)
            .whenComplete((_, late) -> {
              if (late != null) {
                RemoteBody.close(stream.in);
              }
            });
    return new Answer.Stream(response.statusCode(), headers, stream);
  }

  private static String contentType(List<Map.Entry<String, String>> headers) {
    return headers.stream()
        .filter(header -> header.getKey().equals("Content-Type"))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElse("");
  }

  @Override
  public void writeTo(Answer.Outlet outlet) throws IOException {
    begun.complete(null);
    call.visitor().rest();
    outlet.onClose(() -> RemoteBody.close(in));
    try (in) {
      if (lines) {
        sendLines(outlet);
      } else {
        sendPortions(outlet);
      }
    }
  }

  private void sendPortions(Answer.Outlet outlet) throws IOException {
    var portion = new byte[PORTION];
    for (int size = in.read(portion); size >= 0; size = in.read(portion)) {
      outlet.send(Arrays.copyOf(portion, size));
    }
  }

  private void sendLines(Answer.Outlet outlet) throws IOException {
    var buffer = new byte[PORTION];
    int size = 0;
    for (int more = in.read(buffer);
        more >= 0;
        more = in.read(buffer, size, buffer.length - size)) {
      size = sendLines(buffer, size, size + more, outlet);
      outlet.flush();
      if (size == buffer.length) {
        buffer = larger(buffer);
      }
    }
    if (size > 0) {
      outlet.send(Arrays.copyOf(buffer, size));
    }
  }

  /// Sends the lines that end in `buffer`; how much of it is left, at its beginning.
  private static int sendLines(byte[] buffer, int from, int size, Answer.Outlet outlet)
      throws IOException {
    int begin = 0;
    for (int i = from; i < size; i++) {
      if (buffer[i] == '\n') {
        if (i > begin) {
          outlet.append(Arrays.copyOfRange(buffer, begin, i));
        }
        begin = i + 1;
      }
    }
    System.arraycopy(buffer, begin, buffer, 0, size - begin);
    return size - begin;
  }

  private byte[] larger(byte[] buffer) throws IOException {
    if (buffer.length >= Limits.REMOTE_LINE_BYTES) {
      throw new IOException("an event of another API server is too large");
    }
    try {
      call.visitor().take(Use.STREAMS, buffer.length);
    } catch (ApiException e) {
      throw new IOException(e.getMessage(), e);
    }
    return Arrays.copyOf(buffer, 2 * buffer.length);
  }
}
