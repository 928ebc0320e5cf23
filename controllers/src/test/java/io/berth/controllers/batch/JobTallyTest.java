package io.berth.controllers.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Tree;
import io.berth.codec.Yaml;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class JobTallyTest {

  private static final String RUNNING =
      """
      metadata:
        uid: u
        finalizers: [batch.kubernetes.io/job-tracking]
        deletionTimestamp: '2026-01-01T00:00:00Z'
      status: {phase: %s}
      """;

  /// The finalizer may be gone already: a cache shows the pod as it was.
  @Test
  void aPodThatASuccessfulJobDeletedIsLetGoAndNotCounted() {
    var tally = new JobTally(over("SuccessCriteriaMet"), Set.of());
    tally.take(List.of(Yaml.read(RUNNING.formatted("Running"))), true);

    assertThat(tally.failed()).isZero();
    assertThat(tally.finalized()).hasSize(1);
  }

  @Test
  void aPodThatFailedBeforeThatCounts() {
    var tally = new JobTally(over("SuccessCriteriaMet"), Set.of());
    tally.take(List.of(Yaml.read(RUNNING.formatted("Failed"))), true);

    assertThat(tally.failed()).isEqualTo(1);
  }

  @Test
  void thePodsOfAJobThatFailedCount() {
    var tally = new JobTally(over("FailureTarget"), Set.of());
    tally.take(List.of(Yaml.read(RUNNING.formatted("Running"))), true);

    assertThat(tally.failed()).isEqualTo(1);
  }

  private static Tree over(String condition) {
    return Yaml.read("status: {conditions: [{type: %s, status: 'True'}]}".formatted(condition));
  }
}
