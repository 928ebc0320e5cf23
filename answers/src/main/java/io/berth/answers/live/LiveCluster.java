package io.berth.answers.live;

import io.berth.answers.source.Survey;
import io.berth.engine.Engine;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Answers about the cluster of a running scheduler, on a second engine that hears what the
/// scheduler's hears: no question delays a decision.
///
/// The engine is made for the first question, and catches up for every other. Any thread may ask;
/// one question is answered at a time, so that answers take one processor at most.
public final class LiveCluster {

  private final LiveSource source;
  private final ReentrantLock lock = new ReentrantLock(true);
  private Hearing hearing = new Hearing();
  private @Nullable Companion companion;

  public LiveCluster(LiveSource source) {
    this.source = source;
  }

  /// The cluster at one moment; good until the question has its answer.
  ///
  /// @param engine knows the survey; whoever asks leaves it as it was
  public record Moment(Survey survey, Engine engine) {}

  /// Answers with all that the scheduler knew when it was asked.
  public <T> T ask(Function<Moment, T> question) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      var scheduling = source.now();
      var now = upToDate(scheduling);
      var at = scheduling.settings().withRevision(String.valueOf(now.revision()));
      return question.apply(new Moment(new LiveSurvey(now, source, at), now.engine()));
    } catch (RuntimeException e) {
      // Whatever broke may have left the engine half changed.
      companion = null;
      throw e;
    } finally {
      lock.unlock();
    }
  }

  private Companion upToDate(LiveSource.Scheduling scheduling) throws InterruptedException {
    var telling = scheduling.hearing();
    var known = hearing.equals(telling) ? companion : null;
    var news = known == null ? Optional.<List<Happening>>empty() : telling.take();
    while (known == null || news.isEmpty()) {
      // What is told then is at least as new.
      long revision = source.revision();
      source.begin(telling);
      known = new Companion(engine(scheduling.settings()), revision);
      news = telling.take();
    }
    known.take(news.get());
    hearing = telling;
    companion = known;
    return known;
  }

  private static Engine engine(Survey.Settings settings) {
    return new Engine(settings.configuration(), settings.seed(), settings.rules());
  }
}
