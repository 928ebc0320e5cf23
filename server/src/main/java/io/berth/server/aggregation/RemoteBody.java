package io.berth.server.aggregation;

import io.berth.api.ApiException;
import io.berth.server.Limits;
import io.berth.server.budget.Use;
import io.berth.server.budget.Visitor;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpTimeoutException;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/// Reads a whole answer, charged to whom it is for as it comes, and within its time.
final class RemoteBody {

  private static final int FIRST_BYTES = 16 << 10;

  private RemoteBody() {}

  static byte[] read(InputStream in, Visitor visitor) throws IOException {
    visitor.rest();
    var done = new CompletableFuture<Void>();
    var _ =
        done.orTimeout(Limits.REMOTE_ANSWER.toMillis(), TimeUnit.MILLISECONDS)
            .whenComplete((_, late) -> {
              if (late != null) {
                close(in);
              }
            });
    try {
      return readAll(in, visitor);
    } catch (IOException e) {
      throw done.isDone() ? new HttpTimeoutException("the answer takes too long") : e;
    } finally {
      done.complete(null);
      visitor.goOn();
    }
  }

  private static byte[] readAll(InputStream in, Visitor visitor) throws IOException {
    visitor.take(Use.ANSWERS, FIRST_BYTES);
    var bytes = new byte[FIRST_BYTES];
    int size = 0;
    for (int more = in.read(bytes); more >= 0; more = in.read(bytes, size, bytes.length - size)) {
      size += more;
      if (size == bytes.length) {
        if (size >= Limits.REMOTE_ANSWER_BYTES) {
          throw new ApiException(
              413,
              "RequestEntityTooLarge",
              "the answer of another API server is larger than %d MiB; ask for less at a time, with `limit`"
                  .formatted(Limits.REMOTE_ANSWER_BYTES >> 20));
        }
        visitor.take(Use.ANSWERS, bytes.length);
        bytes = Arrays.copyOf(bytes, 2 * bytes.length);
      }
    }
    return Arrays.copyOf(bytes, size);
  }

  static void close(InputStream in) {
    try {
      in.close();
    } catch (IOException e) {
      // It is over in any case.
    }
  }
}
