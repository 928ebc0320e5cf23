package io.berth.console.view;

import io.berth.api.ApiException;
import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.console.scene.Scene;
import io.berth.console.sight.Visibility;
import io.berth.server.http.Answer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Changes of the map as server-sent events, at most ten a second, what came in between as one.
///
/// Who the caller is and what they may see is asked anew every few seconds: a right that was taken
/// away ends the stream, or has the page begin anew.
public final class MapStream implements Answer.Frames {

  /// Says nothing; it has the client know that the stream is there.
  private static final byte[] ALIVE = ":\n\n".getBytes(StandardCharsets.UTF_8);

  private static final long PAUSE_MILLIS = 100;
  private static final long LOOK_MILLIS = 2_000;
  private static final long ASK_NANOS = 5_000_000_000L;
  private static final long ALIVE_NANOS = 15_000_000_000L;

  private final Scene scene;
  private final String epoch;
  private final List<String> keys;
  private final Supplier<Visibility> visibility;
  private long revision;
  private @Nullable Shown shown;
  private volatile boolean closed;

  /// Begins after `since`, `EPOCH.NUMBER` as a map names its revision. `visibility` throws when the
  /// caller may not ask any more.
  public MapStream(
      Scene scene, String epoch, String since, List<String> keys, Supplier<Visibility> visibility) {
    this.scene = scene;
    this.epoch = epoch;
    this.keys = List.copyOf(keys);
    this.visibility = visibility;
    this.revision = revision(since);
  }

  /// `-1` for one that this process has not given out.
  private long revision(String since) {
    var prefix = epoch + ".";
    var number = since.startsWith(prefix) ? since.substring(prefix.length()) : "";
    return number.matches("\\d{1,18}") ? Long.parseLong(number) : -1;
  }

  @Override
  public void writeTo(Answer.Outlet outlet) throws IOException, InterruptedException {
    outlet.onClose(() -> {
      closed = true;
      scene.wake();
    });
    try {
      follow(outlet);
    } catch (ApiException e) {
      send(outlet, "end", e.status());
    }
  }

  private void follow(Answer.Outlet outlet) throws IOException, InterruptedException {
    var now = visibility.get();
    outlet.send(ALIVE);
    long asked = System.nanoTime();
    long alive = asked;
    while (!closed) {
      if (System.nanoTime() - asked > ASK_NANOS) {
        now = visibility.get();
        asked = System.nanoTime();
      }
      if (tell(outlet, now)) {
        alive = System.nanoTime();
        Thread.sleep(PAUSE_MILLIS);
      } else if (System.nanoTime() - alive > ALIVE_NANOS) {
        outlet.send(ALIVE);
        alive = System.nanoTime();
      }
      scene.awaitChange(revision, LOOK_MILLIS, () -> closed);
    }
  }

  /// Sends what is new; whether there was anything.
  private boolean tell(Answer.Outlet outlet, Visibility now) throws IOException {
    var seen = Shown.of(now, scene.namespaces());
    var difference = scene.since(revision).orElse(null);
    boolean differs = shown != null && shown.differsFrom(seen);
    shown = seen;
    if (difference == null || differs) {
      revision = scene.revision();
      send(outlet, "reset", Tree.of("rev", name(revision)));
      return true;
    }
    revision = difference.revision();
    var view = new MapView(scene, now, keys);
    if (difference.isEmpty() || !view.shows(difference)) {
      return false;
    }
    send(outlet, "map", view.toTree(difference, name(revision)));
    return true;
  }

  /// What the caller may see, to be compared. Namespaces come and go with their pods, which are
  /// told of; rights are not.
  private record Shown(boolean nodes, boolean everyPod, Map<String, Boolean> namespaces) {

    static Shown of(Visibility visibility, Collection<String> namespaces) {
      var seen = new HashMap<String, Boolean>();
      namespaces.forEach(each -> seen.put(each, visibility.seesPods(each)));
      return new Shown(visibility.seesNodes(), visibility.seesEveryPod(), seen);
    }

    boolean differsFrom(Shown other) {
      return nodes != other.nodes
          || everyPod != other.everyPod
          || namespaces.entrySet().stream()
              .anyMatch(each ->
                  !each.getValue()
                      .equals(other.namespaces.getOrDefault(each.getKey(), each.getValue())));
    }
  }

  private String name(long number) {
    return epoch + "." + number;
  }

  private void send(Answer.Outlet outlet, String event, Tree data) throws IOException {
    var frame = "id: %s\nevent: %s\ndata: %s\n\n".formatted(name(revision), event, Json.text(data));
    outlet.send(frame.getBytes(StandardCharsets.UTF_8));
  }
}
