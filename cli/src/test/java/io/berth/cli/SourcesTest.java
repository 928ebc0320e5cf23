package io.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.answers.source.Manifest;
import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.codec.Yaml;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
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

/// Which cluster a question is about: what the line names, else what the environment does.
class SourcesTest {

  private static final String NODE =
      "{apiVersion: v1, kind: Node, metadata: {name: n}, status: {allocatable: {cpu: '4', pods: '9'}}}";

  private final List<String> asked = new ArrayList<>();
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  @TempDir Path folder;

  @Test
  void theFirstFileOfTheVariableIsMeant() {
    run(Map.of("KUBECONFIG", ":/x/one:/y/two"), "explain", "pod", "web");

    assertThat(asked).containsExactly("/x/one in ''");
  }

  @Test
  void theLineComesBeforeTheVariable() {
    run(
        Map.of("KUBECONFIG", "/x/one"),
        "explain",
        "pod",
        "web",
        "--kubeconfig",
        "/z/k",
        "--context",
        "blue");

    assertThat(asked).containsExactly("/z/k in 'blue'");
  }

  @Test
  void aContextNeedsNoKubeconfig() {
    run(Map.of("KUBECONFIG", "/x/one"), "explain", "pod", "web", "--context", "blue");

    assertThat(asked).containsExactly("/x/one in 'blue'");
  }

  @Test
  void whoNamesNothingHasTheFileOfTheHome() throws IOException {
    Files.createDirectories(folder.resolve(".kube"));
    Files.writeString(folder.resolve(".kube/config"), "");

    run(Map.of("HOME", folder.toString()), "explain", "pod", "web");

    assertThat(asked).containsExactly(folder.resolve(".kube/config") + " in ''");
  }

  @Test
  void whatMayNotBeListedIsNamedAndNothingIsCalledTried() {
    int code = run(Map.of("KUBECONFIG", "/x/one"), "explain", "pod", "web");

    assertThat(code).isEqualTo(1);
    assertThat(text(out))
        .contains("What may help:")
        .contains("Not read: services: forbidden. The answer may be another with it.")
        .doesNotContain("each one tried");
  }

  @Test
  void aJournalTellsTheClusterAsOfADecision() throws IOException {
    var journal = Files.writeString(folder.resolve("j.jsonl"), journal()).toString();

    assertThat(run(Map.of(), "explain", "pod", "web", "--journal", journal, "--at", "1")).isZero();
    assertThat(text(out)).contains("default/web fits: it would go to n.");
    out.reset();
    assertThat(run(Map.of(), "explain", "pod", "web", "--journal", journal)).isEqualTo(1);
    assertThat(text(out)).contains("default/web fits on none of 1 node. Not now");
    assertThat(run(Map.of(), "explain", "pod", "web", "--journal", journal, "--at", "9"))
        .isEqualTo(2);
    assertThat(text(err)).contains("--at 9: the journal has 2 decisions");
  }

  /// One decision when the node is empty, another when somebody has it.
  private static String journal() {
    var lines = new ArrayList<Tree>();
    lines.add(Tree.of("journal", 1L, "seed", 1L));
    lines.add(Tree.of("put", Yaml.read(NODE)));
    lines.add(Tree.of("put", pod("web")));
    lines.add(Tree.of("put", pod("first")));
    lines.add(Tree.of("decided", "default/first", "node", "n", "feasible", 1L));
    lines.add(Tree.of("assumed", "default/first", "node", "n"));
    lines.add(Tree.of("decided", "default/web", "message", "0/1 nodes are available"));
    var text = new StringBuilder();
    lines.forEach(line -> text.append(Json.text(line)).append('\n'));
    return text.toString();
  }

  private static Tree pod(String name) {
    return Yaml.read(
        """
        {apiVersion: v1, kind: Pod, metadata: {namespace: default, name: %s, uid: u-%s},
         spec: {schedulerName: default-scheduler, containers: [
           {name: c, image: x, resources: {requests: {cpu: "3"}}}]}}
        """
            .formatted(name, name));
  }

  private int run(Map<String, String> environment, String... line) {
    var sources =
        new Sources(new Asked(), new NoClusters(), environment, InputStream.nullInputStream());
    var workloads = new ExplainWorkload(new NoClusters(), (_, _) -> new Tree(), Map.of());
    var cli = new Cli(List.of(new Explain(sources, workloads)), Map.of(), false);
    return cli.run(List.of(line), new PrintStream(out, true), new PrintStream(err, true));
  }

  private static String text(ByteArrayOutputStream bytes) {
    return bytes.toString(StandardCharsets.UTF_8);
  }

  /// A full cluster whose services may not be listed, and who asked for it.
  private final class Asked implements Surveys {

    @Override
    public Tree withDefaults(Tree object) {
      return object;
    }

    @Override
    public Found ofCluster(Path kubeconfig, String context) {
      asked.add("%s in '%s'".formatted(kubeconfig, context));
      var there = pod("there");
      there.child("spec").put("nodeName", "n");
      var manifests =
          List.of(Yaml.read(NODE), there, pod("web")).stream().map(Manifest::ofCluster).toList();
      return new Found(manifests, List.of("services: forbidden"), "7", null, 1);
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
