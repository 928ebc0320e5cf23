package io.berth.console;

import io.berth.api.ApiException;
import io.berth.console.scene.Scene;
import io.berth.console.sight.Visibility;
import io.berth.console.view.MapStream;
import io.berth.console.view.MapView;
import io.berth.console.view.PendingView;
import io.berth.server.http.Answer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/// What a scene shows: `map` as columns, `stream` of its changes, `pending` pods by cause.
final class MapEndpoint {

  private static final int STREAMS = 200;
  private static final int KEYS = 4;
  private static final int KEY_LENGTH = 317;
  private static final String ZONE = "topology.kubernetes.io/zone";

  private final Scene scene;
  private final String epoch = UUID.randomUUID().toString().substring(0, 8);
  private final Semaphore streams = new Semaphore(STREAMS);

  MapEndpoint(Scene scene) {
    this.scene = scene;
  }

  Answer map(Inquiry inquiry) {
    var visibility = inquiry.with("by").visibility();
    scene.awaitKnown();
    var keys = keys(inquiry);
    var snapshot = scene.snapshot();
    var revision = name(snapshot.revision());
    var seen = visibility.podNamespaces(scene.namespaces());
    var sees = List.of(keys, visibility.seesNodes(), visibility.seesEveryPod(), seen);
    var tag = "\"%s-%08x\"".formatted(revision, sees.hashCode());
    if (inquiry.call().header("if-none-match").equals(tag)) {
      return tagged(new Answer.Whole(304, new ArrayList<>(), new byte[0]), tag);
    }
    var view = new MapView(scene, visibility, keys);
    return tagged(JsonBodies.json(view.toTree(snapshot, revision)), tag);
  }

  private static Answer tagged(Answer.Whole answer, String tag) {
    answer.headers().add(Map.entry("ETag", tag));
    return answer;
  }

  private String name(long revision) {
    return epoch + "." + revision;
  }

  private static List<String> keys(Inquiry inquiry) {
    var text = inquiry.parameter("by");
    var keys = List.of((text.isEmpty() ? ZONE : text).split(",", -1));
    if (keys.size() > KEYS || keys.stream().anyMatch(key -> key.length() > KEY_LENGTH)) {
      throw ApiException.badRequest("by: at most %d topology keys".formatted(KEYS));
    }
    return keys;
  }

  /// `again` says what the caller may see as time goes on.
  Answer stream(Inquiry inquiry, Supplier<Visibility> again) {
    var keys = keys(inquiry.with("by", "since"));
    scene.awaitKnown();
    var resumed = inquiry.call().header("last-event-id");
    var since = resumed.isEmpty() ? inquiry.parameter("since") : resumed;
    if (streams.availablePermits() == 0) {
      throw new ApiException(
          429, "TooManyRequests", "%d streams are open; close one".formatted(STREAMS));
    }
    var stream = new MapStream(scene, epoch, since, keys, again);
    var headers = new ArrayList<>(List.of(Map.entry("Content-Type", "text/event-stream")));
    return new Answer.Stream(
        200,
        headers,
        outlet -> {
          // Whoever comes too late after all finds the stream at its end, and tries again.
          if (streams.tryAcquire()) {
            try {
              stream.writeTo(outlet);
            } finally {
              streams.release();
            }
          }
        });
  }

  Answer pending(Inquiry inquiry) {
    var visibility = inquiry.with().visibility();
    scene.awaitKnown();
    var snapshot = scene.snapshot();
    var view = new PendingView(scene, visibility);
    return JsonBodies.json(view.toTree(snapshot, name(snapshot.revision())));
  }
}
