package io.berth.console.answer;

import io.berth.answers.live.LiveCluster;
import io.berth.answers.live.LiveCluster.Moment;
import io.berth.api.ApiException;
import java.util.concurrent.Semaphore;
import java.util.function.Function;

/// Asks the engine that hears what the scheduler of this process hears. Of more than 50 questions
/// that wait, the next is refused.
public final class LiveAnswers implements Answering {

  static final int MOST_WAITING = 50;

  private final LiveCluster cluster;
  private final Semaphore places = new Semaphore(MOST_WAITING);

  public LiveAnswers(LiveCluster cluster) {
    this.cluster = cluster;
  }

  @Override
  public <T> T ask(Function<Moment, T> question) {
    if (!places.tryAcquire()) {
      throw tooMany();
    }
    try {
      return cluster.ask(question);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ApiException(503, "ServiceUnavailable", "the console stops");
    } finally {
      places.release();
    }
  }

  static ApiException tooMany() {
    return new ApiException(
        429, "TooManyRequests", "%d questions wait; ask again later".formatted(MOST_WAITING));
  }
}
