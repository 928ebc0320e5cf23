package io.berth.server.http;

import io.berth.api.ApiException;
import io.berth.server.Limits;
import io.berth.server.budget.Use;
import io.berth.server.budget.Visitor;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Set;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/// The body of one request: charged to its sender as it comes, and with what will be made of it
/// once it is in.
final class Incoming implements Call.Body {

  private static final Set<String> READ_ONLY = Set.of("GET", "HEAD");

  /// A length that is told saves buffers, but nobody must believe it.
  private static final int FIRST_BYTES = 64 << 10;

  private static final int UNTOLD_BYTES = 4 << 10;

  private final Request request;
  private final Visitor visitor;
  private final SlowClients slow;
  private byte @Nullable [] read;

  Incoming(Request request, Visitor visitor, SlowClients slow) {
    this.request = request;
    this.visitor = visitor;
    this.slow = slow;
  }

  @Override
  public byte[] read() {
    return read(Limits.BODY_BYTES);
  }

  @Override
  public byte[] read(int most) {
    if (read == null) {
      read = readAll(most);
      visitor.take(Use.BODIES, (long) read.length * (Limits.BODY_GROWTH - 1));
    }
    return read;
  }

  private byte[] readAll(int most) {
    visitor.rest();
    var bytes = received(most);
    visitor.work();
    return bytes;
  }

  private byte[] received(int most) {
    try (var _ = slow.reading(request.getConnectionMetaData().getConnection());
        var in = Content.Source.asInputStream(request)) {
      return readAll(in, most);
    } catch (IOException e) {
      throw ApiException.badRequest("cannot read the body: " + e.getMessage());
    }
  }

  private byte[] readAll(InputStream in, int most) throws IOException {
    long told = request.getLength();
    if (told > most) {
      throw tooLarge(in, most);
    }
    var bytes = larger(new byte[0], (int) Math.min(told < 0 ? UNTOLD_BYTES : told, FIRST_BYTES));
    int size = 0;
    while (size != told) {
      if (size == bytes.length) {
        if (size >= most) {
          if (in.read() < 0) {
            return bytes;
          }
          throw tooLarge(in, most);
        }
        bytes = larger(bytes, (int) Math.min(told < 0 ? most : told, 2L * size));
      }
      int more = in.read(bytes, size, bytes.length - size);
      if (more < 0) {
        return Arrays.copyOf(bytes, size);
      }
      size += more;
    }
    return bytes;
  }

  private byte[] larger(byte[] bytes, int size) {
    visitor.take(Use.BODIES, size - bytes.length);
    return Arrays.copyOf(bytes, size);
  }

  /// Takes in what the endpoint did not read: a client that is still sending when its connection
  /// closes would see a broken connection instead of the refusal.
  void discardRest() {
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

  private static ApiException tooLarge(InputStream in, int most) throws IOException {
    // A client that is still sending would miss the answer; a little more is let through.
    var _ = in.skip(most);
    return new ApiException(
        413, "RequestEntityTooLarge", "Request entity too large: limit is " + most);
  }
}
