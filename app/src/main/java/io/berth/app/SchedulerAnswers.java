package io.berth.app;

import io.berth.answers.live.Hearing;
import io.berth.answers.live.LiveSource;
import io.berth.answers.source.Survey;
import io.berth.api.ApiException;
import io.berth.api.ObjectReference;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Cluster;
import io.berth.cluster.Cluster.Selection;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// What a scheduler of this process knows, and the objects of its cluster, for answers.
final class SchedulerAnswers implements LiveSource {

  /// A loop that takes longer to tell what it knows has ended, or is in trouble of its own.
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final ReloadingScheduler scheduler;
  private final Cluster cluster;
  private final long seed;
  private final Map<String, Resource> resources = new LinkedHashMap<>();
  private final MachineSurveys surveys = new MachineSurveys();

  SchedulerAnswers(ReloadingScheduler scheduler, Cluster cluster, long seed) {
    this.scheduler = scheduler;
    this.cluster = cluster;
    this.seed = seed;
    MachineSurveys.resources().forEach(each -> resources.put(each.kind(), each));
  }

  @Override
  public Scheduling now() {
    var running = scheduler.listened();
    var with = running.settings();
    var settings =
        new Survey.Settings(
            "default", "", with.configuration(), with.rules(), seed, surveys::withDefaults);
    return new Scheduling(running.journal().hearing(), settings);
  }

  @Override
  public void begin(Hearing hearing) throws InterruptedException {
    var running = scheduler.listened();
    var told = new CountDownLatch(1);
    running
        .scheduler()
        .describe(standing -> {
          running.journal().begin(standing);
          told.countDown();
        });
    boolean isIt = running.journal().hearing().equals(hearing);
    if (!isIt || !told.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
      throw new ApiException(
          503, "ServiceUnavailable", "the scheduler has just been started anew; ask again");
    }
  }

  @Override
  public long revision() {
    return Long.parseLong(cluster.list(Resource.PRIORITY_CLASSES, "", Selection.ALL).revision());
  }

  @Override
  public Optional<Tree> find(ObjectReference reference) {
    var resource = resources.get(reference.kind());
    if (resource == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(cluster.fetch(resource, reference.namespace(), reference.name()));
    } catch (ApiException e) {
      if (e.code() == 404 || e.code() == 403) {
        return Optional.empty();
      }
      throw e;
    }
  }

  @Override
  public List<Tree> all(String kind) {
    var resource = resources.get(kind);
    try {
      return resource == null ? List.of() : cluster.list(resource, "", Selection.ALL).items();
    } catch (ApiException e) {
      if (e.code() == 404 || e.code() == 403) {
        return List.of();
      }
      throw e;
    }
  }

  @Override
  public List<String> kinds() {
    return List.copyOf(resources.keySet());
  }
}
