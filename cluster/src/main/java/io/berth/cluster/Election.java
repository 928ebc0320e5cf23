package io.berth.cluster;

import io.berth.api.ApiException;
import io.berth.api.Resource;
import io.berth.api.Tree;
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
/// change; clocks of different machines are never compared. Owned by one thread of its own.
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
  private String leader = "";

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
    while (!tryToHold()) {
      double wait = 1 + ThreadLocalRandom.current().nextDouble() * (JITTER - 1);
      Thread.sleep((long) (terms.retryPeriod().toMillis() * wait));
    }
  }

  private void renew() throws InterruptedException {
    while (nanoTime.getAsLong() - renewedAt < terms.renewDeadline().toNanos()) {
      Thread.sleep(terms.retryPeriod());
      tryToHold();
      if (observed != null && !holder(observed).equals(identity)) {
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
    var spec = lease.treeOrEmpty("spec");
    boolean mine = holder(lease).equals(identity);
    if (!mine && !holder(lease).isEmpty() && isValid(spec)) {
      return false;
    }
    observe(cluster.update(Resource.LEASES, null, renewed(lease, mine)));
    return true;
  }

  private boolean isValid(Tree spec) {
    long lasts = Duration.ofSeconds(spec.number(0, "leaseDurationSeconds")).toNanos();
    return nanoTime.getAsLong() - observedAt < lasts;
  }

  private void observe(Tree lease) {
    var spec = lease.treeOrEmpty("spec");
    if (observed == null || !observed.treeOrEmpty("spec").equals(spec)) {
      observed = lease;
      observedAt = nanoTime.getAsLong();
    }
    if (!holder(lease).equals(leader)) {
      leader = holder(lease);
      log.info("the leader is {}", leader.isEmpty() ? "nobody" : leader);
    }
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
