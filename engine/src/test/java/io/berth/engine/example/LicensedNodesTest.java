package io.berth.engine.example;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Node;
import io.berth.api.Pod;
import io.berth.api.Quantity;
import io.berth.api.Tree;
import io.berth.codec.PodReader;
import io.berth.codec.SchedulerConfigurationReader;
import io.berth.engine.Decision;
import io.berth.engine.Engine;
import io.berth.engine.rule.Rule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LicensedNodesTest {

  private final Engine engine = engineWith(new LicensedNodes());

  private static Engine engineWith(Rule rule) {
    var enabled = Tree.of("enabled", List.of(Tree.of("name", rule.name(), "weight", 10)));
    var profile = Tree.of("plugins", Tree.of("multiPoint", enabled));
    var configuration = SchedulerConfigurationReader.read(Tree.of("profiles", List.of(profile)));
    return new Engine(configuration, 1, List.of(rule));
  }

  @Test
  void keepsThePodToTheLicensedNode() {
    engine.put(node("a", Map.of()));
    engine.put(node("b", Map.of(LicensedNodes.LABEL, "cad")));

    assertThat(engine.decide(pod("cad"))).isEqualTo(new Decision.Placed("b", 1));
  }

  @Test
  void saysWhyAndFollowsTheNode() {
    engine.put(node("a", Map.of()));

    assertThat(engine.decide(pod("cad")).toString())
        .contains("0/1 nodes are available: 1 node(s) didn't carry the license the pod asks for.");

    engine.put(node("a", Map.of(LicensedNodes.LABEL, "cad")));
    assertThat(engine.decide(pod("cad"))).isEqualTo(new Decision.Placed("a", 1));
  }

  @Test
  void isTheRuleOfTheGuide() throws IOException {
    var guide = Files.readString(root().resolve("docs/guides/write-a-rule.md"));

    assertThat(guide)
        .contains(source("LicensedNodes", "/// Keeps pods"))
        .contains(source("LabelledFirst", "/// Prefers nodes"))
        .contains(source("LabelledFirstProvider", "public final class"));
  }

  @Test
  void aScoreWithAnArgumentDecides() {
    var chosen = engineWith(new LabelledFirst("example.com/rank"));
    chosen.put(node("a", Map.of("example.com/rank", "1")));
    chosen.put(node("b", Map.of("example.com/rank", "7")));

    assertThat(chosen.decide(pod("none"))).isEqualTo(new Decision.Placed("b", 2));
    chosen.put(node("a", Map.of("example.com/rank", "9")));
    assertThat(chosen.decide(pod("none"))).isEqualTo(new Decision.Placed("a", 2));
  }

  private static String source(String example, String begin) throws IOException {
    var file = "engine/src/test/java/io/berth/engine/example/%s.java".formatted(example);
    var source = Files.readString(root().resolve(file));
    return source.substring(source.indexOf(begin)).strip();
  }

  private static Path root() {
    return Path.of(System.getProperty("berth.root"));
  }

  private static Node node(String name, Map<String, String> labels) {
    var offer = Map.of("cpu", Quantity.of(4), "pods", Quantity.of(10));
    return new Node(name, labels, false, List.of(), offer, List.of(), List.of());
  }

  private static Pod pod(String license) {
    return PodReader.read(
        Tree.of(
            "metadata", Tree.of("name", "pod", "labels", Tree.of(LicensedNodes.LABEL, license))));
  }
}
