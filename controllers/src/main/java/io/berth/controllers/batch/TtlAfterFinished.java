package io.berth.controllers.batch;

import io.berth.api.ApiException;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Cluster.DeleteOptions;
import io.berth.controllers.Controller;
import io.berth.controllers.runtime.Cache;
import io.berth.controllers.runtime.Conditions;
import io.berth.controllers.runtime.Environment;
import io.berth.controllers.runtime.Key;
import io.berth.controllers.runtime.Loop;
import io.berth.controllers.runtime.Meta;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Deletes Jobs some time after they have finished, when they ask for it.
public final class TtlAfterFinished implements Controller {

  private final Environment environment;
  private final Cache jobs;
  private final Loop loop;

  public TtlAfterFinished(Environment environment) {
    this.environment = environment;
    this.jobs = environment.informers().of(Resource.JOBS);
    this.loop = new Loop("ttl-after-finished", 2, environment.timers(), this::reconcile);
    jobs.onAny(job -> {
      if (job.at("spec", "ttlSecondsAfterFinished") != null) {
        loop.add(Key.of(job));
      }
    });
  }

  @Override
  public String name() {
    return "ttl-after-finished";
  }

  @Override
  public void start() {
    loop.start();
  }

  @Override
  public void close() {
    loop.close();
  }

  private void reconcile(Key key) {
    var job = jobs.find(key).orElse(null);
    if (job == null || Meta.isDeleting(job)) {
      return;
    }
    var due = due(job);
    if (due == null) {
      return;
    }
    var wait = Duration.between(environment.now(), due);
    if (wait.isPositive()) {
      loop.addRoutinely(key, wait);
      return;
    }
    // The time to live may have been changed meanwhile; the API has the last word.
    var live = environment.cluster().fetch(Resource.JOBS, key.namespace(), key.name());
    var liveDue = due(live);
    if (liveDue == null || liveDue.isAfter(environment.now())) {
      return;
    }
    try {
      environment
          .cluster()
          .delete(
              Resource.JOBS,
              key.namespace(),
              key.name(),
              new DeleteOptions(-1, Meta.uid(live), "Foreground"));
    } catch (ApiException e) {
      if (!e.is("NotFound") && !e.is("Conflict")) {
        throw e;
      }
    }
  }

  private static @Nullable Instant due(Tree job) {
    if (!(job.at("spec", "ttlSecondsAfterFinished") instanceof Long seconds)) {
      return null;
    }
    for (var type : List.of("Complete", "Failed")) {
      var condition = Conditions.find(job, type);
      if (condition != null && condition.textOrEmpty("status").equals("True")) {
        return Meta.instant(condition, Instant.EPOCH, "lastTransitionTime").plusSeconds(seconds);
      }
    }
    return null;
  }
}
