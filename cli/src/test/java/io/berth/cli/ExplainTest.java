package io.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.answers.source.Manifest;
import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.codec.Yaml;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExplainTest {

  private static final String NODE =
      """
      apiVersion: v1
      kind: Node
      metadata: {name: node-1}
      status: {allocatable: {cpu: "4", memory: 8Gi, pods: "110"}}
      """;

  private static final String POD =
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: web, namespace: shop}
      spec: {containers: [{name: a, image: b, resources: {requests: {cpu: "8"}}}]}
      """;

  @TempDir Path folder;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @Test
  void readsStandardInputAndAnswersInJson() {
    var input = new ByteArrayInputStream((NODE + "---\n" + POD).getBytes(StandardCharsets.UTF_8));

    assertThat(run(cli(input), "explain", "pod", "-f", "-", "-o", "json")).isEqualTo(1);
    var answer = Json.read(out.toString(StandardCharsets.UTF_8));
    assertThat(answer.text("kind")).isEqualTo("Explanation");
    assertThat(answer.text("verdict")).isEqualTo("never");
    assertThat(answer.trees("suggestions").getFirst().text("what")).isEqualTo("cpu 4");
  }

  @Test
  void filesLieOverTheClusterOfAnotherSource() throws IOException {
    var pod = write("pod.yaml", POD.replace("\"8\"", "\"3\""));

    var code = run(cli(), "explain", "pod", "-f", pod, "--kubeconfig", "k", "-o", "yaml");

    var answer = Yaml.read(out.toString(StandardCharsets.UTF_8));
    assertThat(code).isZero();
    assertThat(answer.text("node")).isEqualTo("live-1");
    assertThat(answer.flag("complete")).isFalse();
    assertThat(answer.list("unread")).containsExactly("pods: forbidden");
    assertThat(answer.text("revision")).isEqualTo("812");
  }

  @Test
  void saysWhatIsWrongWithTheInput() throws IOException {
    refuses("broken.yaml", "kind: Pod\nmetadata: {\n", "broken.yaml:", "column");
    refuses("list.yaml", "- a\n- b\n", "list.yaml:1", "mapping");
    refuses("none.yaml", "a: b\n", "none.yaml:1: kind: is missing");
    refuses(
        "field.yaml",
        POD.replace("\"8\"", "8 cores"),
        "field.yaml:1: Pod shop/web: spec.containers[0].resources.requests[cpu]: \"8 cores\"");
    refuses("empty.yaml", NODE, "the files hold no pod without a node");
  }

  private void refuses(String name, String text, String... words) throws IOException {
    err.reset();
    assertThat(run(cli(), "explain", "pod", "-f", write(name, text))).as(name).isEqualTo(2);
    assertThat(err.toString(StandardCharsets.UTF_8)).contains(words);
  }

  @Test
  void aPodThatIsElsewhereIsPointedAt() throws IOException {
    var file = write("pod.yaml", POD);

    assertThat(run(cli(), "explain", "pod", "web", "-f", file)).isEqualTo(2);
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("use -n shop");
  }

  @Test
  void watchesUntilThePodHasANode() throws IOException {
    var sources =
        new Sources(
            new OneNode() {
              private int looks;

              @Override
              public Found ofCluster(Path kubeconfig, String context) {
                var pod = Yaml.read(POD);
                if (++looks == 3) {
                  pod.child("spec").put("nodeName", "live-1");
                }
                var found = super.ofCluster(kubeconfig, context);
                var manifests = new ArrayList<>(found.manifests());
                manifests.add(Manifest.ofCluster(pod));
                return new Found(manifests, List.of(), "", null, 1);
              }
            },
            new NoClusters(),
            Map.of(),
            InputStream.nullInputStream());
    var cli = new Cli(List.of(new Explain(sources, NO_WORKLOADS, Duration.ZERO)), Map.of(), false);

    assertThat(run(cli, "explain", "pod", "web", "-n", "shop", "--kubeconfig", "k", "--watch"))
        .isZero();
    assertThat(out.toString(StandardCharsets.UTF_8))
        .startsWith("shop/web fits on none of 1 node. Never")
        .endsWith("shop/web is on live-1.\n")
        .containsOnlyOnce("fits on none");
  }

  private static final ExplainWorkload NO_WORKLOADS =
      new ExplainWorkload(new NoClusters(), (_, _) -> new Tree(), Map.of());

  private String write(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text).toString();
  }

  private int run(Cli cli, String... arguments) {
    return cli.run(List.of(arguments), new PrintStream(out, true), new PrintStream(err, true));
  }

  static Cli cli() {
    return cli(InputStream.nullInputStream());
  }

  private static Cli cli(InputStream in) {
    var sources = new Sources(new OneNode(), new NoClusters(), Map.of(), in);
    return new Cli(List.of(new Explain(sources, NO_WORKLOADS)), Map.of(), false);
  }

  /// A cluster whose pods may not be listed.
  private static class OneNode implements Surveys {

    @Override
    public Tree withDefaults(Tree object) {
      return object;
    }

    @Override
    public Found ofCluster(Path kubeconfig, String context) {
      var node = Yaml.read(NODE.replace("node-1", "live-1"));
      var manifests = new ArrayList<Manifest>();
      manifests.add(Manifest.ofCluster(node));
      return new Found(manifests, List.of("pods: forbidden"), "812", null, 1);
    }

    @Override
    public Found ofStopped(Path data) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Found ofSnapshot(Path file) {
      throw new UnsupportedOperationException();
    }

    @Override
    public List<Tree> nodesOf(Tree fleet) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Found ofFleet(Path file) {
      throw new UnsupportedOperationException();
    }
  }
}
