package io.berth.scheduler.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.scheduler.SchedulerLoad;
import io.berth.scheduler.SchedulerMetrics.Queue;
import io.berth.scheduler.SchedulerMetrics.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class PrometheusMetricsTest {

  private static final Path REFERENCE = Path.of("../docs/reference/metrics.md");

  private final PrometheusMetrics metrics = metrics();

  private static PrometheusMetrics metrics() {
    var load = new SchedulerLoad(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
    var metrics = new PrometheusMetrics(() -> load, () -> true, "kube-scheduler");
    metrics.decided("default-scheduler", 1_500_000);
    metrics.attempted(Result.SCHEDULED, "default-scheduler", 3_000_000);
    metrics.bound("default-scheduler", 1, 5_000_000);
    metrics.bound("default-scheduler", 15, 5_000_000);
    metrics.queued(Queue.ACTIVE, "PodAdd");
    metrics.unschedulable("NodeResourcesFit", "default-scheduler", 2);
    metrics.unschedulable("NodeResourcesFit", "default-scheduler", -1);
    metrics.preempting(3);
    metrics.swept();
    metrics.shed();
    return metrics;
  }

  @Test
  void speaksAsKubeSchedulerDoes() {
    assertThat(metrics.text().lines())
        .contains(
            "scheduler_schedule_attempts_total{profile=\"default-scheduler\",result=\"scheduled\"}"
                + " 1.0",
            "scheduler_scheduling_algorithm_duration_seconds_bucket{le=\"0.002\"} 1",
            "scheduler_scheduling_attempt_duration_seconds_bucket{profile=\"default-scheduler\",result=\"scheduled\",le=\"0.002\"}"
                + " 0",
            "scheduler_pod_scheduling_sli_duration_seconds_count{attempts=\"15+\"} 1",
            "scheduler_pending_pods{queue=\"backoff\"} 2.0",
            "scheduler_cache_size{type=\"assumed_pods\"} 8.0",
            "scheduler_queue_incoming_pods_total{event=\"PodAdd\",queue=\"active\"} 1.0",
            "scheduler_unschedulable_pods{plugin=\"NodeResourcesFit\",profile=\"default-scheduler\"}"
                + " 1.0",
            "scheduler_preemption_victims_sum 3.0",
            "leader_election_master_status{name=\"kube-scheduler\"} 1.0");
  }

  @Test
  void theReferenceListsEveryMetricAndNoOther() throws Exception {
    var served = new TreeSet<String>();
    var type = Pattern.compile("# TYPE (\\S+) (\\S+)").matcher(metrics.text());
    while (type.find()) {
      served.add(type.group(1) + " " + type.group(2));
    }
    var listed = new TreeSet<String>();
    var row =
        Pattern.compile("^\\| `(\\S+)` \\| (counter|gauge|histogram) \\|", Pattern.MULTILINE)
            .matcher(Files.readString(REFERENCE));
    while (row.find()) {
      listed.add(row.group(1) + " " + row.group(2));
    }

    assertThat(listed).isEqualTo(served);
  }
}
