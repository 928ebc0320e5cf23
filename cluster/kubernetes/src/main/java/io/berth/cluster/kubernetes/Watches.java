package io.berth.cluster.kubernetes;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Cluster.Watch;
import io.berth.cluster.Cluster.Watcher;
import io.berth.cluster.kubernetes.HttpClient.Call;
import io.berth.codec.SyntaxException;
import io.berth.schema.DecodingException;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Watches that are open: each has a connection and a virtual thread that reads it.
///
/// A watch tells its watcher how it ended: a revision that is too old, or a server that refuses,
/// needs a new list; everything else (the server's time limit, a cut connection, a restart) goes on
/// from the last revision seen.
final class Watches implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(Watches.class);

  // Longer than the time limit that is asked for: the server ends a healthy watch.
  private static final Duration SILENCE = Duration.ofMinutes(11);
  private static final int GONE = 410;
  private static final int TOO_MANY_REQUESTS = 429;

  private final HttpClient http;
  private final Wire wire;
  private final Set<Running> running = ConcurrentHashMap.newKeySet();

  Watches(HttpClient http, Wire wire) {
    this.http = http;
    this.wire = wire;
  }

  Watch start(Resource resource, String target, Watcher watcher) {
    var watch = new Running(resource, target, watcher);
    running.add(watch);
    Thread.ofVirtual().name("watch-" + resource.plural()).start(watch);
    return watch;
  }

  @Override
  public void close() {
    running.forEach(Running::close);
  }

  private final class Running implements Watch, Runnable {

    private final Resource resource;
    private final String target;
    private final Watcher watcher;
    private HttpClient.@Nullable Stream stream;
    private boolean closed;

    Running(Resource resource, String target, Watcher watcher) {
      this.resource = resource;
      this.target = target;
      this.watcher = watcher;
    }

    @Override
    public void run() {
      boolean expired = false;
      try (var opened = http.open(Call.get(target, wire.accepted(resource)), SILENCE)) {
        if (keep(opened)) {
          expired = follow(opened.answer());
        }
      } catch (IOException | SyntaxException | DecodingException e) {
        log.debug("watch of {} ended: {}", resource.qualified(), e.toString());
      } finally {
        running.remove(this);
        if (!isClosed()) {
          watcher.ended(expired);
        }
      }
    }

    /// Reads to the end; `true` when only a new list helps.
    private boolean follow(Answer answer) throws IOException {
      if (answer.status() != 200) {
        log.debug("watch of {} refused with {}", resource.qualified(), answer.status());
        return answer.status() < 500 && answer.status() != TOO_MANY_REQUESTS;
      }
      return Wire.isProtobuf(answer.contentType())
          ? followProtobuf(answer.body())
          : followJson(answer.body());
    }

    private boolean followProtobuf(InputStream body) throws IOException {
      var reader = wire.protobuf();
      var end = new End();
      while (!end.reached && reader.next(body, event -> saw(event.type(), event.object(), end))) {
        // Each event is handed on as it comes.
      }
      return end.expired;
    }

    private boolean followJson(InputStream body) throws IOException {
      var lines = new Lines(body);
      var end = new End();
      while (!end.reached && lines.next()) {
        var event = wire.json().read(lines.bytes(), lines.length());
        saw(event.textOrEmpty("type"), event.treeOrEmpty("object"), end);
      }
      return end.expired;
    }

    private void saw(String type, Tree object, End end) {
      switch (type) {
        case "ADDED" -> watcher.added(object.freeze());
        case "MODIFIED" -> watcher.modified(object.freeze());
        case "DELETED" -> watcher.deleted(object.freeze());
        case "BOOKMARK" -> watcher.bookmark(revision(object));
        default -> {
          log.debug("watch of {} ended by {}", resource.qualified(), object);
          end.reached = true;
          end.expired = object.number(0, "code") == GONE;
        }
      }
    }

    private static String revision(Tree object) {
      return object.textOrEmpty("metadata", "resourceVersion");
    }

    private synchronized boolean keep(HttpClient.Stream opened) {
      stream = opened;
      return !closed;
    }

    private synchronized boolean isClosed() {
      return closed;
    }

    @Override
    public synchronized void close() {
      closed = true;
      if (stream != null) {
        stream.abort();
      }
    }
  }

  /// Whether the server has ended a watch, and how.
  private static final class End {
    private boolean reached;
    private boolean expired;
  }

  /// Splits a stream into lines, each a document, in one buffer that grows to the longest.
  private static final class Lines {

    private static final int MAX_LINE = 64 << 20;

    private final InputStream in;
    private byte[] buffer = new byte[16 << 10];
    private byte[] line = new byte[16 << 10];
    private int position;
    private int limit;
    private int length;

    Lines(InputStream in) {
      this.in = in;
    }

    /// Moves to the next line that holds something; `false` at the end.
    boolean next() throws IOException {
      length = 0;
      while (true) {
        if (position == limit) {
          limit = in.read(buffer, 0, buffer.length);
          position = 0;
          if (limit < 0) {
            limit = 0;
            return false;
          }
        }
        int end = position;
        while (end < limit && buffer[end] != '\n') {
          end++;
        }
        append(end);
        if (end < limit) {
          position = end + 1;
          if (length > 0) {
            return true;
          }
        }
      }
    }

    private void append(int end) throws IOException {
      int more = end - position;
      if (length + more > line.length) {
        if (length + more > MAX_LINE) {
          throw new IOException("a watch event is longer than 64 MiB");
        }
        line = Arrays.copyOf(line, Math.max(line.length * 2, length + more));
      }
      System.arraycopy(buffer, position, line, length, more);
      length += more;
      position = end;
    }

    byte[] bytes() {
      return line;
    }

    int length() {
      return length;
    }
  }
}
