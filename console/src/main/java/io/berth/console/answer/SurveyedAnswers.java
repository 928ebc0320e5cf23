package io.berth.console.answer;

import io.berth.answers.live.LiveCluster.Moment;
import io.berth.answers.source.Manifest;
import io.berth.answers.source.Survey;
import io.berth.api.ApiException;
import io.berth.api.Resource;
import io.berth.cluster.Cluster;
import io.berth.cluster.Cluster.Selection;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Reads the cluster by lists when somebody asks, and answers those who ask soon after from the
/// same survey. One question is answered at a time; of more than 50 that wait, the next is refused.
public final class SurveyedAnswers implements Answering {

  private static final Duration KEPT = Duration.ofSeconds(1);

  private final Cluster cluster;
  private final List<Resource> resources;
  private final Function<String, Survey.Settings> settings;
  private final InstantSource clock;
  private final Semaphore places = new Semaphore(LiveAnswers.MOST_WAITING);

  private @Nullable Kept kept;

  private record Kept(Moment moment, Instant until) {}

  /// `settings` says how the cluster schedules, at a revision.
  public SurveyedAnswers(
      Cluster cluster,
      List<Resource> resources,
      Function<String, Survey.Settings> settings,
      InstantSource clock) {
    this.cluster = cluster;
    this.resources = List.copyOf(resources);
    this.settings = settings;
    this.clock = clock;
  }

  @Override
  public <T> T ask(Function<Moment, T> question) {
    if (!places.tryAcquire()) {
      throw LiveAnswers.tooMany();
    }
    try {
      return answer(question);
    } finally {
      places.release();
    }
  }

  private synchronized <T> T answer(Function<Moment, T> question) {
    try {
      return question.apply(upToDate());
    } catch (RuntimeException e) {
      // Whatever broke may have left the engine half changed.
      kept = null;
      throw e;
    }
  }

  private Moment upToDate() {
    var known = kept;
    if (known == null || !clock.instant().isBefore(known.until)) {
      var survey = survey();
      known = new Kept(new Moment(survey, survey.engine()), clock.instant().plus(KEPT));
      kept = known;
    }
    return known.moment;
  }

  private Survey survey() {
    var manifests = new ArrayList<Manifest>();
    var unread = new ArrayList<String>();
    var revision = "";
    for (var resource : resources) {
      try {
        var page = cluster.list(resource, "", Selection.ALL);
        page.items().forEach(item -> manifests.add(Manifest.ofCluster(item)));
        revision = page.revision();
      } catch (ApiException e) {
        if (e.code() != 404) {
          unread.add("%s: %s".formatted(resource.qualified(), e.getMessage()));
        }
      }
    }
    return Survey.of(manifests, settings.apply(revision), unread);
  }
}
