package io.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Tree;
import io.berth.codec.Json;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `berth snapshot placement` keeps what answers follow from, and nothing that is private.
class PlacementSnapshotTest {

  private static final String CLUSTER =
      """
      {apiVersion: v1, kind: Node, metadata: {name: blue-1, labels: {
         kubernetes.io/hostname: blue-1, rack: left, speed: "7"}, annotations: {owner: alice}},
       status: {allocatable: {cpu: "4", pods: "9"}, nodeInfo: {machineID: m}}}
      ---
      {apiVersion: v1, kind: Node, metadata: {name: blue-2, labels: {
         kubernetes.io/hostname: blue-2, rack: right, speed: "9"}},
       spec: {taints: [{key: team, value: crimson, effect: NoSchedule}]},
       status: {allocatable: {cpu: "4", pods: "9"}}}
      ---
      {apiVersion: v1, kind: Pod, metadata: {namespace: shop, name: cache, labels: {app: cache}},
       spec: {nodeName: blue-1, volumes: [{name: key, secret: {secretName: password}}], containers: [
         {name: c, image: hush/cache, env: [{name: TOKEN, value: hunter2}], command: [run, --secret]}]}}
      ---
      {apiVersion: v1, kind: Pod, metadata: {namespace: shop, name: web},
       spec: {nodeSelector: {rack: left}, affinity: {
         nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [
           {matchExpressions: [{key: speed, operator: Gt, values: ["5"]}]}]}},
         podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [
           {topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {app: cache}}}]}},
         containers: [{name: c, image: hush/web, resources: {requests: {cpu: "1"}}}]}}
      """;

  @TempDir Path folder;

  @Test
  void answersStayTheSame() throws Exception {
    var original = explained(cluster(), "web", "shop");
    var copy = explained(snapshot(), "web", "shop");

    assertThat(original.textOrEmpty("verdict")).isEqualTo("notNow");
    assertThat(copy).isEqualTo(original);
  }

  @Test
  void nothingPrivateIsInIt() throws Exception {
    assertThat(Files.readString(snapshot()))
        .contains("blue-1", "rack")
        .doesNotContain("hunter2", "TOKEN", "--secret", "password", "alice", "machineID");
  }

  @Test
  void nobodyRecognisesAnything() throws Exception {
    var file = snapshot("--anonymise");
    var text = Files.readString(file);
    assertThat(text)
        .doesNotContain("blue", "rack", "left", "team", "crimson", "shop", "cache", "web", "hush");
    var pod = Json.read(text).trees("items").getLast().treeOrEmpty("metadata");

    var answer = explained(file, pod.textOrEmpty("name"), pod.textOrEmpty("namespace"));

    var original = explained(cluster(), "web", "shop");
    assertThat(answer.text("verdict")).isEqualTo(original.text("verdict"));
    assertThat(rules(answer)).isEqualTo(rules(original));
    assertThat(answer.list("suggestions")).hasSameSizeAs(original.list("suggestions"));
  }

  private static List<String> rules(Tree answer) {
    return answer.trees("causes").stream()
        .map(cause -> cause.text("rule") + " " + cause.number(0, "first"))
        .toList();
  }

  private Path cluster() throws Exception {
    return Files.writeString(folder.resolve("cluster.yaml"), CLUSTER);
  }

  private Path snapshot(String... options) throws Exception {
    var file = folder.resolve("snapshot.json");
    var line =
        new ArrayList<>(
            List.of("snapshot", "placement", file.toString(), "-f", cluster().toString()));
    line.addAll(List.of(options));
    run(line);
    return file;
  }

  private static Tree explained(Path file, String pod, String namespace) {
    return Json.read(
        run(List.of("explain", "pod", pod, "-n", namespace, "-f", file.toString(), "-o", "json")));
  }

  private static String run(List<String> line) {
    var out = new ByteArrayOutputStream();
    var err = new ByteArrayOutputStream();
    var workloads = new ExplainWorkload(new NoClusters(), (_, _) -> new Tree(), Map.of());
    var cli =
        new Cli(
            List.of(
                new Explain(files(), workloads),
                new Snapshot(new NoClusters(), new NoSnapshots(), files())),
            Map.of(),
            false);
    int code = cli.run(line, new PrintStream(out, true), new PrintStream(err, true));
    assertThat(code).as(err.toString(StandardCharsets.UTF_8)).isLessThan(2);
    return out.toString(StandardCharsets.UTF_8);
  }

  /// Nobody keeps whole clusters here.
  private static final class NoSnapshots implements Snapshots {

    @Override
    public Saved save(Path kubeconfig, Path file) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Saved saveStopped(Path folder, Path file) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Restored restore(Path file, Path folder) {
      throw new UnsupportedOperationException();
    }
  }

  static Sources files() {
    return new Sources(
        new AnswersCommandsTest.FileSurveys(),
        new NoClusters(),
        Map.of(),
        InputStream.nullInputStream());
  }
}
