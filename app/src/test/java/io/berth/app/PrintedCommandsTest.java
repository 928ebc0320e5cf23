package io.berth.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.berth.api.FeatureGates;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cli.LocalCluster;
import io.berth.cli.Port;
import io.berth.cli.SchedulerSettings;
import io.berth.cluster.Cluster.DeleteOptions;
import io.berth.cluster.Cluster.Selection;
import io.berth.cluster.kubernetes.Access;
import io.berth.cluster.kubernetes.KubernetesCluster;
import io.berth.codec.Json;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Commands that `berth explain` prints, typed into a real kubectl on `berth up`: the pod runs
/// then.
///
/// Needs `-Dberth.kubectl=/path/to/kubectl`; `-Dberth.commands=100 -Dberth.seed=7` asks for more
/// cases, or for others.
class PrintedCommandsTest {

  private static final String KUBECTL = System.getProperty("berth.kubectl", "");
  private static final int CASES = Integer.getInteger("berth.commands", 10);
  private static final long SEED = Long.getLong("berth.seed", 1);
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir Path folder;
  private final Map<String, Integer> typed = new TreeMap<>();

  @Test
  void podsRunAfterTheCommand() throws Exception {
    assumeTrue(Files.isExecutable(Path.of(KUBECTL)), "no kubectl: set -Dberth.kubectl");
    var options = options();
    try (var _ = EmbeddedCluster.start(options);
        var cluster =
            new KubernetesCluster(Access.kubeconfig(options.kubeconfig(), ""), "test", Set.of())) {
      for (long seed = SEED; seed < SEED + CASES; seed++) {
        check(new StuckPod(seed), cluster, seed);
      }
    }
    System.out.printf("seeds %d to %d: %s%n", SEED, SEED + CASES - 1, typed);
    assertThat(typed.values().stream().mapToInt(each -> each).sum()).isEqualTo(CASES);
  }

  private void check(StuckPod stuck, KubernetesCluster cluster, long seed) throws Exception {
    stuck
        .objects()
        .forEach((resource, trees) -> trees.forEach(tree -> cluster.create(resource, tree)));
    var pod = await(cluster, stuck.namespace(), "Pending", seed, "");
    var suggestions =
        explain(stuck.namespace(), pod).trees("suggestions").stream()
            .filter(each -> each.text("command") != null)
            .toList();
    assertThat(suggestions).as("seed %d: %s", seed, stuck).isNotEmpty();
    var chosen = suggestions.get(new Random(seed).nextInt(suggestions.size()));
    var command = chosen.textOrEmpty("command");
    var said = type(command);
    await(cluster, stuck.namespace(), "Running", seed, command + "\n" + said);
    typed.merge(chosen.text("target") + " " + kindOf(chosen.textOrEmpty("what")), 1, Integer::sum);
    cleanUp(stuck, cluster);
  }

  private static String kindOf(String what) {
    return what.replaceAll(" .*", "");
  }

  /// The name of the first stuck pod in this phase; a suggestion that evicts may leave others.
  private String await(
      KubernetesCluster cluster, String namespace, String phase, long seed, String after)
      throws InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    List<Tree> pods = List.of();
    while (System.nanoTime() < end) {
      pods = cluster.list(Resource.PODS, namespace, Selection.labels("stuck=yes")).items();
      for (var pod : pods) {
        boolean refused = !pod.trees("status", "conditions").isEmpty();
        boolean gone = pod.text("metadata", "deletionTimestamp") != null;
        if (pod.textOrEmpty("status", "phase").equals(phase) && refused && !gone) {
          return pod.textOrEmpty("metadata", "name");
        }
      }
      Thread.sleep(20);
    }
    throw new AssertionError(
        "seed %d: no pod is %s after %s: %s".formatted(seed, phase, after, Json.text(pods)));
  }

  private Tree explain(String namespace, String pod) {
    var line =
        List.of(
            "explain",
            "pod",
            pod,
            "-n",
            namespace,
            "-o",
            "json",
            "--kubeconfig",
            folder.resolve("kubeconfig").toString());
    var out = new ByteArrayOutputStream();
    var err = new ByteArrayOutputStream();
    Main.cli().run(line, new PrintStream(out, true), new PrintStream(err, true));
    assertThat(err.toString(StandardCharsets.UTF_8)).isEmpty();
    return Json.read(out.toString(StandardCharsets.UTF_8));
  }

  private String type(String command) throws Exception {
    var shell = new ProcessBuilder("sh", "-c", command).redirectErrorStream(true);
    shell.environment().put("KUBECONFIG", folder.resolve("kubeconfig").toString());
    shell.environment().put("PATH", Path.of(KUBECTL).getParent() + ":" + System.getenv("PATH"));
    var process = shell.start();
    process.getOutputStream().close();
    var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as("%s%n%s", command, said).isZero();
    return said;
  }

  private static void cleanUp(StuckPod stuck, KubernetesCluster cluster) {
    for (var node : stuck.nodes()) {
      cluster.delete(Resource.NODES, "", node, DeleteOptions.DEFAULT);
    }
    cluster.delete(Resource.NAMESPACES, "", stuck.namespace(), DeleteOptions.DEFAULT);
  }

  private LocalCluster.Options options() {
    return new LocalCluster.Options(
        folder.resolve("cluster"),
        true,
        "127.0.0.1",
        Port.any(),
        folder.resolve("kubeconfig"),
        false,
        new LocalCluster.Simulation(0, null, 10),
        SchedulerSettings.DEFAULT,
        new LocalCluster.AdmissionOptions(List.of(), List.of("ServiceAccount"), false),
        Port.any(),
        LocalCluster.CredentialFiles.NONE,
        FeatureGates.DEFAULT);
  }
}
