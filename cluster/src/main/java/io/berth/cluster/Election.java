package io.berth.cluster;

import io.berth.api.ApiException;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Cluster.Selection;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Who of several instances works: the one whose name is in a Lease and who keeps renewing it, by
/// the protocol of Kubernetes' own components, so that we and they exclude each other.
///
/// How long others' leases last is measured on our monotonic clock from the moment we saw them
/// change; clocks of different machines are never compared. Who waits watches the lease, so that it
/// sees a renewal when it happens and a lead that is given back at once, and looks again the moment
/// the lease runs out; without the right to watch it looks every `retryPeriod`. Owned by one thread
/// of its own; what is observed is guarded by the election's monitor.
public final class Election implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(Election.class);

  private static final DateTimeFormatter MICRO_TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);
  private static final double JITTER = 1.2;

  private final Cluster cluster;
  private final Terms terms;
  private final String identity;
  private final InstantSource clock;
  private final LongSupplier nanoTime;
  private final CountDownLatch won = new CountDownLatch(1);
  private final CountDownLatch over = new CountDownLatch(1);
  private final Thread thread;
  private volatile boolean closed;
  private volatile boolean leading;
  private volatile long renewedAt;
  private @Nullable Tree observed;
  private long observedAt;
  private boolean givenBack;
  private volatile String leader = "";

  /// `identity` must be one that no other instance has.
  public Election(
      Cluster cluster, Terms terms, String identity, InstantSource clock, LongSupplier nanoTime) {
    this.cluster = cluster;
    this.terms = terms;
    this.identity = identity;
    this.clock = clock;
    this.nanoTime = nanoTime;
    this.thread = Thread.ofVirtual().name("election").unstarted(this::run);
  }

  /// Which Lease, and how long: a leader that could not renew for `renewDeadline` gives up, others
  /// may take over `leaseDuration` after the last renewal they saw.
  public record Terms(
      String namespace,
      String name,
      Duration leaseDuration,
      Duration renewDeadline,
      Duration retryPeriod) {}

  public Election start() {
    thread.start();
    return this;
  }

  /// Returns when this instance leads, or when the election was closed before.
  public boolean awaitLead() throws InterruptedException {
    won.await();
    return leading;
  }

  /// Returns when the lead is lost or given up.
  public void awaitEnd() throws InterruptedException {
    over.await();
  }

  /// Whether we may write now. Turns false by itself when the lease could not be renewed in time,
  /// also in a process that was stopped for a while.
  public boolean isLeading() {
    return leading && nanoTime.getAsLong() - renewedAt < terms.renewDeadline().toNanos();
  }

  /// Whose name is in the lease, as last seen; nobody's is empty.
  public String leader() {
    return leader;
  }

  /// Gives the lead back, so that another instance need not wait for the lease to run out.
  @Override
  public void close() {
    closed = true;
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    try {
      acquire();
      leading = true;
      log.info("leading as {}", identity);
      won.countDown();
      renew();
      log.error("leader election lost: the lease was not renewed in time");
    } catch (InterruptedException e) {
      log.debug("election ended");
    } finally {
      boolean held = leading;
      leading = false;
      won.countDown();
      over.countDown();
      if (closed && held) {
        release();
      }
    }
  }

  private void acquire() throws InterruptedException {
    var name = Selection.fields("metadata.name=" + terms.name());
    try (var watch = new Informer(cluster, Resource.LEASES, terms.namespace(), name)) {
      watch.on(new News()).start();
      for (long tried = nanoTime.getAsLong(); !tryToHold(); tried = nanoTime.getAsLong()) {
        awaitChance(tried);
      }
    }
  }

  /// Until the lease has run out or was given back; not longer than `retryPeriod` and a bit, and
  /// that long when it had run out before the last try.
  private synchronized void awaitChance(long tried) throws InterruptedException {
    double jitter = 1 + ThreadLocalRandom.current().nextDouble() * (JITTER - 1);
    long limit = nanoTime.getAsLong() + (long) (terms.retryPeriod().toNanos() * jitter);
    while (!givenBack) {
      long expiry = observed == null ? limit : observedAt + lasts(observed);
      long end = expiry - tried > 0 && limit - expiry > 0 ? expiry : limit;
      // Rounded up: who comes too early comes twice.
      long millis = Math.ceilDiv(end - nanoTime.getAsLong(), 1_000_000L);
      if (millis <= 0) {
        return;
      }
      wait(millis);
    }
    givenBack = false;
  }

  /// What the watch tells of the lease.
  private final class News implements Informer.Handler {

    @Override
    public void changed(@Nullable Tree previous, Tree lease) {
      hear(lease, holder(lease).isEmpty());
    }

    @Override
    public void removed(Tree lease) {
      hear(null, true);
    }

    private void hear(@Nullable Tree lease, boolean free) {
      synchronized (Election.this) {
        if (lease != null) {
          observe(lease);
        }
        givenBack |= free;
        Election.this.notifyAll();
      }
    }
  }

  private void renew() throws InterruptedException {
    while (nanoTime.getAsLong() - renewedAt < terms.renewDeadline().toNanos()) {
      Thread.sleep(terms.retryPeriod());
      tryToHold();
      if (!leader.equals(identity)) {
        return;
      }
    }
  }

  /// Takes or renews the lease; `false` when somebody else has it or the API cannot be reached.
  private boolean tryToHold() {
    long begin = nanoTime.getAsLong();
    try {
      var held = write();
      if (held) {
        renewedAt = begin;
      }
      return held;
    } catch (ApiException e) {
      log.debug("lease {}/{}: {}", terms.namespace(), terms.name(), e.getMessage());
      return false;
    } catch (RuntimeException e) {
      log.warn("lease {}/{}: {}", terms.namespace(), terms.name(), e.toString());
      return false;
    }
  }

  private boolean write() {
    Tree lease;
    try {
      lease = cluster.fetch(Resource.LEASES, terms.namespace(), terms.name());
    } catch (ApiException e) {
      if (e.code() != 404) {
        throw e;
      }
      observe(cluster.create(Resource.LEASES, newLease()));
      return true;
    }
    observe(lease);
    boolean mine = holder(lease).equals(identity);
    if (!mine && !holder(lease).isEmpty() && isValid(lease)) {
      return false;
    }
    observe(cluster.update(Resource.LEASES, null, renewed(lease, mine)));
    return true;
  }

  private synchronized boolean isValid(Tree lease) {
    return nanoTime.getAsLong() - observedAt < lasts(lease);
  }

  private static long lasts(Tree lease) {
    return Duration.ofSeconds(lease.number(0, "spec", "leaseDurationSeconds")).toNanos();
  }

  // The watch may tell of a renewal after a later one has been read.
  private synchronized void observe(Tree lease) {
    if (observed == null || revision(lease) > revision(observed)) {
      if (observed == null || !observed.treeOrEmpty("spec").equals(lease.treeOrEmpty("spec"))) {
        observedAt = nanoTime.getAsLong();
      }
      observed = lease;
    }
    if (!holder(observed).equals(leader)) {
      leader = holder(observed);
      log.info("the leader is {}", leader.isEmpty() ? "nobody" : leader);
    }
  }

  private static long revision(Tree lease) {
    return Long.parseLong(lease.textOrEmpty("metadata", "resourceVersion"));
  }

  private Tree newLease() {
    return Tree.of(
        "apiVersion",
        "coordination.k8s.io/v1",
        "kind",
        "Lease",
        "metadata",
        Tree.of("namespace", terms.namespace(), "name", terms.name()),
        "spec",
        spec(now(), 0));
  }

  private Tree renewed(Tree lease, boolean mine) {
    var spec = lease.treeOrEmpty("spec");
    long transitions = spec.number(0, "leaseTransitions");
    var since = mine ? spec.textOrEmpty("acquireTime") : now();
    return lease.copy().put("spec", spec(since, mine ? transitions : transitions + 1));
  }

  private Tree spec(String since, long transitions) {
    return Tree.of(
        "holderIdentity",
        identity,
        "leaseDurationSeconds",
        terms.leaseDuration().toSeconds(),
        "acquireTime",
        since,
        "renewTime",
        now(),
        "leaseTransitions",
        transitions);
  }

  private void release() {
    try {
      var lease = cluster.fetch(Resource.LEASES, terms.namespace(), terms.name());
      if (holder(lease).equals(identity)) {
        var spec = renewed(lease, true).treeOrEmpty("spec");
        spec.put("holderIdentity", "").put("leaseDurationSeconds", 1).put("acquireTime", now());
        cluster.update(Resource.LEASES, null, lease.copy().put("spec", spec));
        log.info("gave the lead back");
      }
    } catch (RuntimeException e) {
      log.warn("cannot give the lead back: {}", e.getMessage());
    }
  }

  private static String holder(Tree lease) {
    return lease.textOrEmpty("spec", "holderIdentity");
  }

  private String now() {
    return MICRO_TIME.format(clock.instant());
  }
}
