package io.berth.cluster.kubernetes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/// Requests to one API server over connections that are kept open between them.
///
/// A server that speaks HTTP/2 gets all of them on one connection ([Multiplexed]); with any other,
/// each call has a connection while it lasts, and each watch its own. At most [#MAX_CALLS] calls
/// are under way; more wait their turn. A call that fails without an answer is repeated only when
/// it cannot have done anything: for a `POST` the caller has to find out.
final class HttpClient implements AutoCloseable {

  private static final int MAX_CALLS = 64;
  private static final int MAX_IDLE = 40;
  static final int MAX_BODY = 256 << 20;
  private static final int MAX_RETRIES = 8;
  private static final int MAX_ATTEMPTS = 4;
  private static final int MAX_RETRY_SECONDS = 10;
  private static final int TOO_MANY_REQUESTS = 429;
  private static final int UNAUTHORIZED = 401;

  // Shorter than servers keep idle connections: one that we use is rarely being closed by them.
  private static final long MAX_IDLE_NANOS = Duration.ofSeconds(20).toNanos();
  static final Duration CONNECT = Duration.ofSeconds(10);
  static final Duration CALL = Duration.ofSeconds(65);

  private final Access access;
  private final String agent;
  private final String host;
  private final String prefix;
  private final Duration patience;
  private final Semaphore room = new Semaphore(MAX_CALLS);
  private final ConcurrentLinkedDeque<Connection> idle = new ConcurrentLinkedDeque<>();
  private final Multiplexed multiplexed;
  private volatile boolean closed;

  /// `patience` is how long a call waits for its answer.
  HttpClient(Access access, String agent, Duration patience) {
    this.access = access;
    this.patience = patience;
    this.agent = agent;
    this.host = access.server().getRawAuthority();
    this.prefix = access.server().getRawPath();
    this.multiplexed =
        new Multiplexed(access, new Http2Connection.Head(host, prefix, agent), this::keep);
  }

  /// Sends a request and reads the whole answer. 429 is waited for, 401 answered with a new token.
  Reply call(Call call) {
    room.acquireUninterruptibly();
    try {
      boolean refreshed = false;
      for (int attempt = 0; ; attempt++) {
        var authorization = access.credentials().header();
        var reply = attempt(call, authorization);
        if (reply.status() == UNAUTHORIZED && !refreshed) {
          access.credentials().refused(authorization);
          refreshed = true;
        } else if (reply.status() == TOO_MANY_REQUESTS && attempt < MAX_RETRIES) {
          Thread.sleep(
              Duration.ofSeconds(Math.clamp(reply.retryAfterSeconds(), 1, MAX_RETRY_SECONDS)));
        } else {
          return reply;
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(
          "%s %s%s: %s".formatted(call.method(), access.server(), call.target(), reason(e)), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UncheckedIOException(new IOException("interrupted"));
    } finally {
      room.release();
    }
  }

  private Reply attempt(Call call, @Nullable String authorization) throws IOException {
    long begin = System.nanoTime();
    for (int attempt = 1; ; attempt++) {
      var http2 = multiplexed.connection();
      if (http2 == null) {
        return attemptAlone(call, authorization);
      }
      try {
        var answer = http2.send(call, authorization, true, patience).await();
        return reply(answer);
      } catch (NotProcessedException e) {
        if (attempt == MAX_ATTEMPTS) {
          throw e;
        }
      } catch (IOException e) {
        boolean over = System.nanoTime() - begin >= patience.toNanos();
        if (attempt == MAX_ATTEMPTS || over || !call.isSafe() || isInterrupted()) {
          throw e;
        }
      }
    }
  }

  private static boolean isInterrupted() {
    return Thread.currentThread().isInterrupted();
  }

  private static Reply reply(Answer answer) throws IOException {
    return new Reply(
        answer.status(), answer.contentType(), answer.bytes(MAX_BODY), answer.retryAfterSeconds());
  }

  private Reply attemptAlone(Call call, @Nullable String authorization) throws IOException {
    while (true) {
      var connection = take();
      boolean answered = false;
      try {
        connection.send(head(call, authorization), call.body());
        var answer = connection.receive(patience);
        answered = true;
        var reply = reply(answer);
        giveBack(connection, answer);
        return reply;
      } catch (IOException e) {
        connection.abort();
        if (answered || connection.isFresh() || !call.isSafe()) {
          throw e;
        }
      }
    }
  }

  /// Begins a request whose answer is read as it comes, for as long as it goes on.
  Stream open(Call call, Duration silence) throws IOException {
    return begin(call, silence, () -> Connection.open(access, CONNECT));
  }

  /// The same for an answer that ends soon: the connection is one of those that calls use.
  Stream borrow(Call call, Duration silence) throws IOException {
    return begin(call, silence, this::take);
  }

  private Stream begin(Call call, Duration silence, Opener opener) throws IOException {
    var authorization = access.credentials().header();
    var stream = begin(call, authorization, silence, opener);
    if (stream.answer().status() != UNAUTHORIZED) {
      return stream;
    }
    stream.abort();
    access.credentials().refused(authorization);
    return begin(call, access.credentials().header(), silence, opener);
  }

  private Stream begin(Call call, @Nullable String authorization, Duration silence, Opener opener)
      throws IOException {
    var shared = share(call, authorization, silence);
    if (shared != null) {
      return shared;
    }
    while (true) {
      var connection = opener.open();
      try {
        return begin(connection, head(call, authorization), silence);
      } catch (IOException e) {
        if (connection.isFresh()) {
          throw e;
        }
      }
    }
  }

  private @Nullable Stream share(Call call, @Nullable String authorization, Duration silence)
      throws IOException {
    for (int attempt = 1; ; attempt++) {
      var http2 = multiplexed.connection();
      if (http2 == null) {
        return null;
      }
      try {
        var stream = http2.send(call, authorization, false, silence);
        return new Stream(stream.await(), stream::cancel, stream::cancel);
      } catch (IOException e) {
        if (attempt == MAX_ATTEMPTS || isInterrupted()) {
          throw e;
        }
      }
    }
  }

  private Stream begin(Connection connection, String head, Duration silence) throws IOException {
    try {
      connection.send(head, null);
      var answer = connection.receive(silence);
      return new Stream(answer, () -> giveBack(connection, answer), connection::abort);
    } catch (IOException | RuntimeException e) {
      connection.abort();
      throw e;
    }
  }

  private interface Opener {
    Connection open() throws IOException;
  }

  private Connection take() throws IOException {
    for (var found = idle.pollFirst(); found != null; found = idle.pollFirst()) {
      if (found.idleNanos() < MAX_IDLE_NANOS) {
        return found;
      }
      found.abort();
    }
    return Connection.open(access, CONNECT);
  }

  private void giveBack(Connection connection, Http1Answer answer) {
    if (answer.isReusable()) {
      keep(connection);
    } else {
      connection.abort();
    }
  }

  private void keep(Connection connection) {
    if (!closed && idle.size() < MAX_IDLE) {
      connection.rest();
      idle.addFirst(connection);
    } else {
      connection.abort();
    }
  }

  private String head(Call call, @Nullable String authorization) {
    var head = new StringBuilder(512);
    head.append(call.method()).append(' ').append(prefix).append(call.target());
    head.append(" HTTP/1.1\r\nHost: ").append(host);
    head.append("\r\nUser-Agent: ").append(agent);
    head.append("\r\nAccept: ").append(call.accept());
    if (authorization != null) {
      head.append("\r\nAuthorization: ").append(authorization);
    }
    var body = call.body();
    if (body != null) {
      head.append("\r\nContent-Type: ").append(call.contentType());
      head.append("\r\nContent-Length: ").append(body.length);
    }
    return head.append("\r\n\r\n").toString();
  }

  private static String reason(IOException e) {
    return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
  }

  @Override
  public void close() {
    closed = true;
    multiplexed.close();
    for (var found = idle.pollFirst(); found != null; found = idle.pollFirst()) {
      found.abort();
    }
  }

  /// A request: `target` is the path with its query.
  record Call(
      String method, String target, String accept, String contentType, byte @Nullable [] body) {

    static final String JSON = "application/json";

    static Call get(String target) {
      return get(target, JSON);
    }

    static Call get(String target, String accept) {
      return new Call("GET", target, accept, "", null);
    }

    /// Whether sending it twice does no more than sending it once.
    boolean isSafe() {
      return method.equals("GET");
    }
  }

  /// A whole answer.
  record Reply(int status, String contentType, byte[] body, int retryAfterSeconds) {}

  /// An answer that goes on; a connection whose answer was read whole serves others afterwards.
  record Stream(Answer answer, Runnable end, Runnable breakOff) implements AutoCloseable {

    @Override
    public void close() {
      end.run();
    }

    /// Ends it at once, also under a thread that reads.
    void abort() {
      breakOff.run();
    }
  }
}
