package io.berth.cluster;

import io.berth.api.Chance;
import io.berth.api.Errand;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Cluster.Selection;
import java.time.Duration;
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
/// One errand lists, then drains the watch; when the watch ends it resumes from the last revision,
/// and when that is too old it lists again and reports only the differences. Handlers run within
/// that errand, in order, and see the cache already changed.
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
  private final Errand errand;

  // Owned by the errand: from where the next watch begins, none when only a list helps, and the
  // watch that is open.
  private @Nullable String position;
  private @Nullable Inbox inbox;
  private Cluster.@Nullable Watch watch;

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
    this.errand = new Errand(cluster.crew(), "informer-" + resource.plural(), this::goOn);
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
    errand.call();
    return this;
  }

  public Resource resource() {
    return resource;
  }

  /// Waits until the first list has been handed to the handlers.
  public void awaitSynced() throws InterruptedException {
    cluster.crew().await(synced);
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
    errand.interrupt();
    errand.call();
  }

  /// Takes in what the watch has seen since the last call; opens one if there is none.
  private void goOn() {
    try {
      if (watch == null && !closed) {
        follow();
      }
      takeIn();
    } catch (RuntimeException e) {
      unfollow(null);
      if (!closed) {
        complain(e);
        pause();
      }
    }
    if (closed) {
      unfollow(null);
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

  private void follow() {
    var from = position;
    if (from == null) {
      from = relist();
      synced.countDown();
    }
    var opened = new Inbox(from);
    inbox = opened;
    watch = cluster.watch(resource, namespace, selection, from, opened);
  }

  /// Ends the watch; the next goes on from `next`, or lists first.
  private void unfollow(@Nullable String next) {
    var open = watch;
    watch = null;
    inbox = null;
    position = next;
    if (open != null) {
      open.close();
    }
  }

  private void takeIn() {
    var from = inbox;
    while (from != null && !closed) {
      var step = from.poll();
      if (step == null) {
        return;
      }
      if (!step.run()) {
        unfollow(from.expired ? null : from.revision);
        resume(from.expired);
        return;
      }
    }
  }

  private void resume(boolean atOnce) {
    if (atOnce) {
      errand.call();
    } else {
      pause();
    }
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

  // Whoever calls meanwhile, which only close() does, shortens the pause.
  private void pause() {
    long wait = Math.min(RETRY_MILLIS << Math.min(failures, 5), MAX_RETRY_MILLIS);
    failures++;
    long jittered = wait / 2 + Chance.or(ThreadLocalRandom.current()).nextLong(wait / 2);
    cluster
        .crew()
        .after(Duration.ofMillis(jittered), "informer-" + resource.plural(), errand::call);
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

    private final LinkedBlockingQueue<Step> steps =
        new LinkedBlockingQueue<>(cluster.crew().isAlone() ? Integer.MAX_VALUE : MAX_WAITING);
    private String revision;
    private boolean expired;

    Inbox(String revision) {
      this.revision = revision;
    }

    @Nullable Step poll() {
      return steps.poll();
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
        errand.call();
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
