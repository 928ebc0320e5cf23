package io.berth.cluster;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Cluster.Selection;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A copy of one resource, kept up to date by list and watch, and handlers that hear of each
/// change.
///
/// One virtual thread lists, then drains the watch; when the watch ends it resumes from the last
/// revision, and when that is too old it lists again and reports only the differences. Handlers run
/// on that thread, in order, and see the cache already changed.
public final class Informer implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(Informer.class);

  // An API server that comes back is not met by everybody at once, four times a second.
  private static final long RETRY_MILLIS = 250;
  private static final long MAX_RETRY_MILLIS = 8_000;

  private static final int MAX_WAITING = 1 << 16;

  private final Cluster cluster;
  private final Resource resource;
  private final String namespace;
  private final Selection selection;
  private UnaryOperator<Tree> kept = UnaryOperator.identity();
  private final Map<String, Tree> cache = new ConcurrentHashMap<>();
  private final List<Handler> handlers = new CopyOnWriteArrayList<>();
  private final CountDownLatch synced = new CountDownLatch(1);
  private volatile long listedAt;
  private long toldUntil;
  private volatile boolean closed;
  private boolean complained;
  private int failures;
  private @Nullable Thread thread;

  public Informer(Cluster cluster, Resource resource, Selection selection) {
    this(cluster, resource, "", selection);
  }

  /// Of one namespace only: it needs no rights elsewhere.
  public static Informer in(String namespace, Cluster cluster, Resource resource) {
    return new Informer(cluster, resource, namespace, Selection.ALL);
  }

  Informer(Cluster cluster, Resource resource, String namespace, Selection selection) {
    this.cluster = cluster;
    this.resource = resource;
    this.namespace = namespace;
    this.selection = selection;
  }

  public Informer(Cluster cluster, Resource resource) {
    this(cluster, resource, Selection.ALL);
  }

  /// Remembers of each object only its name, uid and revision, for those who keep what they need
  /// themselves: [#find] and [#all] and the handlers' `previous` show no more. Call before
  /// [#start()].
  public Informer keepingNames() {
    kept = Informer::nameOf;
    return this;
  }

  private static Tree nameOf(Tree object) {
    return Tree.of(
            "metadata",
            Tree.of(
                "namespace",
                object.textOrEmpty("metadata", "namespace"),
                "name",
                object.textOrEmpty("metadata", "name"),
                "uid",
                object.textOrEmpty("metadata", "uid"),
                "resourceVersion",
                object.textOrEmpty("metadata", "resourceVersion")))
        .freeze();
  }

  /// Adds a handler; call before [#start()].
  public Informer on(Handler handler) {
    handlers.add(handler);
    return this;
  }

  public Informer start() {
    thread = Thread.ofVirtual().name("informer-" + resource.plural()).start(this::run);
    return this;
  }

  public Resource resource() {
    return resource;
  }

  /// Waits until the first list has been handed to the handlers.
  public void awaitSynced() throws InterruptedException {
    synced.await();
  }

  /// The revision of the last whole list that handlers have been told of.
  public long listedAt() {
    return listedAt;
  }

  /// Waits until handlers have been told of everything up to this revision, which must be that of
  /// an object of this resource, or of a list of it: only these are sure to come.
  public synchronized void awaitRevision(long revision) throws InterruptedException {
    while (toldUntil < revision && !closed) {
      wait();
    }
  }

  private synchronized void told(String revision) {
    toldUntil = Math.max(toldUntil, Long.parseLong(revision));
    notifyAll();
  }

  public Optional<Tree> find(String namespace, String name) {
    return Optional.ofNullable(cache.get(key(namespace, name)));
  }

  public Collection<Tree> all() {
    return cache.values();
  }

  @Override
  public void close() {
    closed = true;
    synchronized (this) {
      notifyAll();
    }
    if (thread != null) {
      thread.interrupt();
    }
  }

  private void run() {
    while (!closed) {
      try {
        var revision = relist();
        synced.countDown();
        while (!closed && revision != null) {
          revision = follow(revision);
        }
      } catch (InterruptedException e) {
        return;
      } catch (RuntimeException e) {
        if (closed) {
          return;
        }
        complain(e);
        if (!pause()) {
          return;
        }
      }
    }
  }

  // Once per outage: a server that is away for an hour is one line, not thousands.
  private void complain(RuntimeException e) {
    if (!complained) {
      log.warn("cannot follow {}: {}; trying again", resource.qualified(), e.toString());
      complained = true;
    }
  }

  private String relist() {
    var page = cluster.list(resource, namespace, selection);
    var gone = new HashMap<>(cache);
    for (var object : page.items()) {
      gone.remove(keyOf(object));
      changed(object);
    }
    gone.values().forEach(this::removed);
    complained = false;
    failures = 0;
    listedAt = Long.parseLong(page.revision());
    told(page.revision());
    return page.revision();
  }

  /// Drains one watch; the revision to go on from, or `null` when only a new list helps.
  private @Nullable String follow(String revision) throws InterruptedException {
    var inbox = new Inbox(revision);
    try (var _ = cluster.watch(resource, namespace, selection, revision, inbox)) {
      while (!closed) {
        if (inbox.take().run()) {
          continue;
        }
        if (!inbox.expired) {
          pause();
        }
        return inbox.expired ? null : inbox.revision;
      }
    }
    return null;
  }

  // Another object of the same name: the one before went while nobody watched.
  private void changed(Tree object) {
    var known = cache.get(keyOf(object));
    if (known != null && !isSame("uid", known, object)) {
      removed(known);
    }
    var previous = cache.put(keyOf(object), kept.apply(object));
    if (previous != null && isSame("resourceVersion", previous, object)) {
      return;
    }
    tell(object, handler -> handler.changed(previous, object));
  }

  // Nobody is told twice: a handler that fails has had its chance, and the others have theirs.
  private void tell(Tree object, Consumer<Handler> news) {
    for (var handler : handlers) {
      try {
        news.accept(handler);
      } catch (RuntimeException e) {
        log.error("defect in a handler of {} {}", resource.qualified(), keyOf(object), e);
      }
    }
  }

  private static boolean isSame(String field, Tree one, Tree other) {
    return one.textOrEmpty("metadata", field).equals(other.textOrEmpty("metadata", field));
  }

  private void removed(Tree object) {
    cache.remove(keyOf(object));
    tell(object, handler -> handler.removed(object));
  }

  private boolean pause() {
    try {
      long wait = Math.min(RETRY_MILLIS << Math.min(failures, 5), MAX_RETRY_MILLIS);
      failures++;
      Thread.sleep(wait / 2 + ThreadLocalRandom.current().nextLong(wait / 2));
      return true;
    } catch (InterruptedException e) {
      return false;
    }
  }

  private static String keyOf(Tree object) {
    return key(object.textOrEmpty("metadata", "namespace"), object.textOrEmpty("metadata", "name"));
  }

  private static String key(String namespace, String name) {
    return namespace + "/" + name;
  }

  /// Hears of every object, each state at most once.
  public interface Handler {

    /// `previous` is `null` for an object not known before; it never was another object of the
    /// name.
    void changed(@Nullable Tree previous, Tree object);

    void removed(Tree object);
  }

  /// Hands changes from the adapter's thread to the informer's. Bounded: when handlers fall that
  /// far behind, the adapter waits, and with it the server that sends.
  private final class Inbox implements Cluster.Watcher {

    private final LinkedBlockingQueue<Step> steps = new LinkedBlockingQueue<>(MAX_WAITING);
    private String revision;
    private boolean expired;

    Inbox(String revision) {
      this.revision = revision;
    }

    Step take() throws InterruptedException {
      return steps.take();
    }

    @Override
    public void added(Tree object) {
      hand(() -> saw(object, false));
    }

    @Override
    public void modified(Tree object) {
      hand(() -> saw(object, false));
    }

    @Override
    public void deleted(Tree object) {
      hand(() -> saw(object, true));
    }

    @Override
    public void bookmark(String at) {
      hand(() -> {
        revision = at;
        told(at);
        return true;
      });
    }

    @Override
    public void ended(boolean tooOld) {
      hand(() -> {
        expired = tooOld;
        return false;
      });
    }

    private void hand(Step step) {
      try {
        while (!closed && !steps.offer(step, 1, TimeUnit.SECONDS)) {
          // Looks again whether anybody still listens.
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    private boolean saw(Tree object, boolean gone) {
      failures = 0;
      revision = object.textOrEmpty("metadata", "resourceVersion");
      if (gone) {
        removed(object);
      } else {
        changed(object);
      }
      told(revision);
      return true;
    }
  }

  /// One thing to do on the informer's thread; `false` ends the watch.
  private interface Step {
    boolean run();
  }

  /// All objects in a namespace; a scan, for resources that are few.
  public List<Tree> inNamespace(String namespace) {
    var found = new ArrayList<Tree>();
    for (var object : cache.values()) {
      if (object.textOrEmpty("metadata", "namespace").equals(namespace)) {
        found.add(object);
      }
    }
    return found;
  }
}
