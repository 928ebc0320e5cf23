package io.berth.server.watch;

import io.berth.api.ApiException;
import io.berth.server.Limits;
import io.berth.server.http.Answer;
import io.berth.server.registry.ListOptions;
import io.berth.server.registry.Registry;
import io.berth.server.registry.Served;
import io.berth.server.view.View;
import io.berth.store.Change;
import io.berth.store.CompactedException;
import io.berth.store.Entry;
import io.berth.store.Store;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/// One watch: the state so far where the client wants it, then every change as it comes.
///
/// A thread of the store hands changes over through a small queue; the thread of the request takes
/// them out and writes. When the client is slow both wait, and nobody else does: the changes stay
/// in the history that all watches share, and a watch that falls behind that is ended. The client
/// comes back with the revision it has seen.
public final class WatchStream implements Answer.Frames {

  private static final Object CLOSED = new Object();

  /// How often a watch looks whether its custom resource is still served.
  private static final long LOOK = Duration.ofSeconds(1).toNanos();

  private static final Duration LAST_BOOKMARK = Duration.ofMillis(200);

  private final Registry registry;
  private final Served served;
  private final String namespace;
  private final WatchOptions options;
  private final View view;
  private final Filter filter;
  private final BlockingQueue<Object> queue = new ArrayBlockingQueue<>(Limits.WATCH_BACKLOG);
  private volatile boolean closed;
  private boolean first = true;

  public WatchStream(
      Registry registry, Served served, String namespace, WatchOptions options, View view) {
    this.registry = registry;
    this.served = served;
    this.namespace = namespace;
    this.options = options;
    this.view = view;
    this.filter = new Filter(registry.matcher(served, options.selection()));
  }

  /// Refuses what can be refused before the stream begins.
  public void check() {
    registry.checkRevision(options.selection().resourceVersion());
  }

  @Override
  public void writeTo(Answer.Outlet outlet) throws IOException, InterruptedException {
    outlet.onClose(this::close);
    long from = sendInitialState(outlet);
    try (var subscription = registry.store().watch(served.range(namespace), from, listener())) {
      follow(outlet, subscription);
      outlet.flush();
    } catch (CompactedException e) {
      outlet.send(view.error(tooOld(from, e.oldest()).status()));
    } catch (ApiException e) {
      // An object that cannot be converted ends the watch.
      outlet.send(view.error(e.status()));
    } finally {
      closed = true;
    }
  }

  /// Sends what is there now, if asked to; the revision after which changes are to come.
  private long sendInitialState(Answer.Outlet outlet) throws IOException {
    var asked = options.selection().resourceVersion();
    boolean fromAny = asked.isEmpty() || asked.equals("0");
    var wanted = options.initialEvents();
    if (wanted == null ? !fromAny : !wanted) {
      return fromAny ? registry.store().revision() : Long.parseLong(asked);
    }
    var page = registry.list(served, namespace, unpaged(options.selection()));
    sendAll(outlet, page.entries());
    outlet.flush();
    if (options.bookmarks()) {
      outlet.send(view.bookmark(page.revision(), true, first));
      first = false;
    }
    return page.revision();
  }

  private void sendAll(Answer.Outlet outlet, List<Entry> entries) throws IOException {
    if (served.isStorage()) {
      for (var entry : entries) {
        send(outlet, "ADDED", entry);
      }
      return;
    }
    for (var object : served.presentAll(entries)) {
      outlet.append(view.event("ADDED", object, first));
      first = false;
    }
  }

  private static ListOptions unpaged(ListOptions selection) {
    return new ListOptions(
        selection.labels(), selection.fields(), 0, null, "", ListOptions.Match.UNSET);
  }

  private void follow(Answer.Outlet outlet, Store.Subscription subscription)
      throws IOException, InterruptedException {
    long end = System.nanoTime() + options.timeout().toNanos();
    long bookmark = nextBookmark(end);
    long look = served.isCustom() ? System.nanoTime() + LOOK : Long.MAX_VALUE;
    while (!closed) {
      long now = System.nanoTime();
      if (now >= end) {
        return;
      }
      if (now >= look) {
        if (!isServed()) {
          return;
        }
        look = now + LOOK;
      }
      if (now >= bookmark) {
        subscription.requestProgress();
        bookmark = bookmark < end - LAST_BOOKMARK.toNanos() ? nextBookmark(end) : Long.MAX_VALUE;
      }
      long wait = Math.min(look, Math.min(end, bookmark)) - now;
      var next = queue.poll(wait, TimeUnit.NANOSECONDS);
      switch (next) {
        case Change change -> send(outlet, change);
        case Long revision -> sendBookmark(outlet, revision);
        case RuntimeException cause -> {
          sendEnd(outlet, cause);
          return;
        }
        case null, default -> {}
      }
      // What waits already goes out in the same piece.
      if (queue.isEmpty()) {
        outlet.flush();
      }
    }
  }

  /// As in Kubernetes, a watch of custom resources ends with the edition of their definition, and
  /// the client comes back to what is served then.
  private boolean isServed() {
    var resource = served.resource();
    return registry
        .catalog()
        .find(resource.group(), resource.version(), resource.plural())
        .filter(served::equals)
        .isPresent();
  }

  /// Every minute, and once more shortly before the end.
  private static long nextBookmark(long end) {
    return Math.min(System.nanoTime() + Limits.BOOKMARK.toNanos(), end - LAST_BOOKMARK.toNanos());
  }

  private void send(Answer.Outlet outlet, Change change) throws IOException {
    var type = filter.typeOf(change);
    if (type != null) {
      send(outlet, type.name(), shown(type, change));
    }
  }

  private void sendBookmark(Answer.Outlet outlet, long revision) throws IOException {
    if (options.bookmarks()) {
      outlet.send(view.bookmark(revision, false, first));
      first = false;
    }
  }

  private void sendEnd(Answer.Outlet outlet, RuntimeException cause) throws IOException {
    if (cause instanceof CompactedException) {
      outlet.send(
          view.error(new ApiException(410, "Expired", "the watch fell too far behind").status()));
    }
  }

  /// An object that leaves the selection is shown as it was, at the revision it left.
  private static Entry shown(Change.Type type, Change change) {
    if (type != Change.Type.DELETED
        || change.type() == Change.Type.DELETED
        || change.previous() == null) {
      return change.entry();
    }
    return change.previous().shownAt(change.revision());
  }

  private void send(Answer.Outlet outlet, String type, Entry entry) throws IOException {
    outlet.append(view.event(type, entry, first));
    first = false;
  }

  private Store.Listener listener() {
    return new Store.Listener() {
      @Override
      public void changed(Change change) {
        handOver(change);
      }

      @Override
      public void progressed(long revision) {
        handOver(revision);
      }

      @Override
      public void ended(RuntimeException cause) {
        handOver(cause);
      }
    };
  }

  /// Waits for room, but not for a watcher that has gone.
  private void handOver(Object next) {
    try {
      while (!closed && !queue.offer(next, 1, TimeUnit.SECONDS)) {
        Thread.onSpinWait();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void close() {
    closed = true;
    // Wakes the writer; when there is no room it is awake anyway.
    boolean _ = queue.offer(CLOSED);
  }

  private static ApiException tooOld(long asked, long oldest) {
    return new ApiException(
        410, "Expired", "too old resource version: %d (%d)".formatted(asked, oldest));
  }
}
