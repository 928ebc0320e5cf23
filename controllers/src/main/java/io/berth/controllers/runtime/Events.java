package io.berth.controllers.runtime;

import io.berth.api.ApiException;
import io.berth.api.Errand;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Cluster;
import io.berth.cluster.Cluster.PatchType;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Writes Events, off the path of whoever records them.
///
/// As in Kubernetes, an event that repeats becomes a count; from the tenth on, those that differ in
/// their message alone become one "(combined from similar events)"; and an object gets 25 at once
/// from one source, then one in five minutes. When more wait than [#QUEUE] the newest are dropped:
/// events are the first to go under load.
public final class Events implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Events.class);
  private static final int QUEUE = 4096;
  private static final int REMEMBERED = 4096;
  private static final int SIMILAR = 10;
  private static final long SIMILAR_MILLIS = 600_000;
  private static final int BURST = 25;
  private static final double REFILL_PER_MILLI = 1.0 / 300_000;

  private final Cluster cluster;
  private final InstantSource clock;
  private final BlockingQueue<Recorded> queue = new ArrayBlockingQueue<>(QUEUE);
  private final AtomicLong sequence = new AtomicLong();
  private final Map<String, Written> written = remembering();
  private final Map<String, Similar> similar = remembering();
  private final Map<String, Budget> budgets = remembering();
  private final Errand errand;
  private volatile boolean started;
  private volatile boolean closed;

  public Events(Cluster cluster, InstantSource clock) {
    this.cluster = cluster;
    this.clock = clock;
    this.errand = new Errand(cluster.crew(), "events", this::writeAll);
  }

  public Events start() {
    started = true;
    errand.call();
    return this;
  }

  /// The events that one component records.
  public Source from(String component) {
    return from(component, "");
  }

  public Source from(String component, String host) {
    return new Source(component, host);
  }

  @Override
  public void close() {
    closed = true;
    errand.interrupt();
  }

  private void writeAll() {
    for (var event = queue.poll(); event != null && !closed; event = queue.poll()) {
      write(event);
    }
  }

  private void write(Recorded event) {
    try {
      var now = clock.millis();
      if (!budgets.computeIfAbsent(event.objectKey(), _ -> new Budget(now)).spend(now)) {
        return;
      }
      var combined = combine(event, now);
      var known = written.get(combined.identity());
      if (known == null || !count(known, combined)) {
        create(combined);
      }
    } catch (RuntimeException e) {
      // A namespace that is going away takes no events; nobody can be told.
      LOG.debug("event {} for {} was not written: {}", event.reason, event.name(), e.toString());
    }
  }

  private Recorded combine(Recorded event, long now) {
    var alike = similar.computeIfAbsent(event.similarity(), _ -> new Similar());
    return alike.exceeds(event.message, now)
        ? event.withMessage("(combined from similar events): " + event.message)
        : event;
  }

  private boolean count(Written known, Recorded event) {
    var patch =
        Tree.of("count", known.count + 1, "lastTimestamp", event.time, "message", event.message);
    try {
      cluster.patch(
          Resource.CORE_EVENTS, known.namespace, known.name, null, PatchType.MERGE, patch);
      written.put(event.identity(), new Written(known.namespace, known.name, known.count + 1));
      return true;
    } catch (ApiException e) {
      if (e.is("NotFound")) {
        return false;
      }
      throw e;
    }
  }

  private void create(Recorded event) {
    var namespace = event.namespace();
    var name =
        "%s.%016x".formatted(event.name(), clock.millis() * 1_000_000 + sequence.incrementAndGet());
    var source = Tree.of("component", event.source.component);
    if (!event.source.host.isEmpty()) {
      source.put("host", event.source.host);
    }
    var object =
        Tree.of("apiVersion", "v1", "kind", "Event")
            .put("metadata", Tree.of("name", name, "namespace", namespace))
            .put("involvedObject", event.involved)
            .put("reason", event.reason)
            .put("message", event.message)
            .put("source", source)
            .put("firstTimestamp", event.time)
            .put("lastTimestamp", event.time)
            .put("count", 1)
            .put("type", event.type)
            .put("eventTime", null)
            .put("reportingComponent", event.source.component)
            .put("reportingInstance", event.source.host);
    cluster.create(Resource.CORE_EVENTS, object);
    written.put(event.identity(), new Written(namespace, name, 1));
  }

  private static <V> Map<String, V> remembering() {
    return new LinkedHashMap<>(64, 0.75f, true) {
      private static final long serialVersionUID = 1;

      @Override
      protected boolean removeEldestEntry(Map.Entry<String, V> eldest) {
        return size() > REMEMBERED;
      }
    };
  }

  /// Records events as one component.
  public final class Source {

    private final String component;
    private final String host;

    private Source(String component, String host) {
      this.component = component;
      this.host = host;
    }

    public void normal(Resource resource, Tree object, String reason, String message) {
      record(resource, object, "Normal", reason, message);
    }

    public void warning(Resource resource, Tree object, String reason, String message) {
      record(resource, object, "Warning", reason, message);
    }

    private void record(
        Resource resource, Tree object, String type, String reason, String message) {
      var involved = Tree.of("kind", resource.kind(), "name", Meta.name(object));
      if (resource.namespaced()) {
        involved.put("namespace", Meta.namespace(object));
      }
      involved
          .put("uid", Meta.uid(object))
          .put("apiVersion", resource.apiVersion())
          .put("resourceVersion", Meta.revision(object));
      record(involved, type, reason, message);
    }

    /// For an object reference that is made up, such as a container (`fieldPath`).
    public void record(Tree involved, String type, String reason, String message) {
      var time = Meta.time(clock.instant());
      if (!queue.offer(new Recorded(this, involved, type, reason, message, time))) {
        LOG.debug("event {} dropped, {} are waiting", reason, QUEUE);
      }
      if (started) {
        errand.call();
      }
    }
  }

  private record Recorded(
      Source source, Tree involved, String type, String reason, String message, String time) {

    String name() {
      return involved.textOrEmpty("name");
    }

    String namespace() {
      var namespace = involved.textOrEmpty("namespace");
      return namespace.isEmpty() ? "default" : namespace;
    }

    String objectKey() {
      return source.component + source.host + involved.textOrEmpty("uid") + namespace() + name();
    }

    String similarity() {
      return objectKey() + type + reason + involved.textOrEmpty("fieldPath");
    }

    String identity() {
      return message.startsWith("(combined") ? similarity() : similarity() + message;
    }

    Recorded withMessage(String changed) {
      return new Recorded(source, involved, type, reason, changed, time);
    }
  }

  private record Written(String namespace, String name, long count) {}

  /// What alike events have said, no more than it takes to tell that they are many.
  private static final class Similar {
    private final Set<String> messages = new LinkedHashSet<>();
    private long millis;

    boolean exceeds(String message, long now) {
      if (now - millis > SIMILAR_MILLIS) {
        messages.clear();
      }
      millis = now;
      messages.add(message);
      if (messages.size() < SIMILAR) {
        return false;
      }
      messages.remove(messages.iterator().next());
      return true;
    }
  }

  /// A token bucket.
  private static final class Budget {
    private double tokens = BURST;
    private long millis;

    Budget(long now) {
      this.millis = now;
    }

    boolean spend(long now) {
      tokens = Math.min(BURST, tokens + (now - millis) * REFILL_PER_MILLI);
      millis = now;
      if (tokens < 1) {
        return false;
      }
      tokens--;
      return true;
    }
  }
}
