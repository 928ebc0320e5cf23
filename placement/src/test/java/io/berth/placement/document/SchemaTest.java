package io.berth.placement.document;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.codec.Yaml;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// The schema for editors and the reader say the same of every document.
///
/// `-Dberth.documents=5000 -Dberth.seed=7` damages more documents, and others.
class SchemaTest {

  private static final Path FILE =
      Path.of(
          System.getProperty("berth.root", ".."), "docs", "reference", "placementtest.schema.json");

  private static final String WHOLE =
      """
      apiVersion: berth.io/v1alpha1
      kind: PlacementTest
      metadata: {name: all-words, labels: {team: web}}
      given:
      - fleet: {count: 6, zones: [a, b], capacity: {cpu: "8", memory: 32Gi}, taints: [{key: k, value: v, effect: NoSchedule}]}
      - snapshot: prod.berth
      - schedulerConfig: scheduler.yaml
      when:
      - apply: [web.yaml, api.yaml]
      - apply: web.yaml
      - delete: {kind: Deployment, namespace: shop, name: web}
      - scale: {kind: Deployment, name: web, replicas: 3}
      - lose: {zone: b}
      - drain: {node: node-1}
      - cordon: {labels: {disk: ssd}}
      - uncordon: {zone: a}
      - label: {node: node-1, set: {a: b}, remove: [c]}
      - taint: {node: node-1, set: [{key: spot, effect: NoExecute}], remove: ["x:NoSchedule"]}
      - addNodes: [nodes.yaml]
      - pod: {name: big, namespace: shop, labels: {a: b}, cpu: 500m, memory: 1Gi, gpu: 1, spec: {nodeName: n}}
      - passes: 1h30m
      - then: [{nothingPending: {pods: {a: b}, namespace: shop, mayBeEmpty: true}}]
      then:
      - skew: {pods: {app: web}, by: zone, atMost: 1}
      - apart: {pods: {app: web}, by: zone}
      - together: {pods: {app: api}, with: {app: cache}, by: zone}
      - never: {pods: {app: api}, on: {lifecycle: spot}}
      - never: {pods: {app: api}, on: [node-1]}
      - moved: {atMost: 3}
      - pending: {pod: big, because: NodeResourcesFit, verdict: never}
      - pending: {pods: {a: b}}
      - placed: {pod: small, on: [node-1, node-2]}
      - cel: 'size(pods) > 0'
      - cel: {expression: 'true', mayBeEmpty: true}
      """;

  private static final List<String> WORDS =
      List.of("zone", "node", "atMost", "pods", "pod", "by", "then", "lose", "x", "name", "count");

  @Test
  void schemaAndReaderAgree() {
    int documents = Integer.getInteger("berth.documents", 500);
    long seed = Long.getLong("berth.seed", 1);
    var schema = TestOutline.schema();
    int refused = 0;
    for (int i = 0; i < documents; i++) {
      var random = new Random(seed + i);
      if (!(damaged(whole(), random, 1 + random.nextInt(2)) instanceof Tree document)) {
        continue;
      }
      document.put("kind", "PlacementTest");
      var reader = isRead(document);
      refused += reader ? 0 : 1;
      assertThat(SchemaValidator.accepts(schema, document))
          .as("seed %d: %s", seed + i, Yaml.write(document))
          .isEqualTo(reader);
    }
    assertThat(refused).isBetween(documents / 10, documents * 9 / 10);
  }

  @Test
  void theWholeVocabularyIsRead() {
    assertThat(TestReader.read(Path.of("t.yaml"), WHOLE)).hasSize(1);
    assertThat(SchemaValidator.accepts(TestOutline.schema(), whole())).isTrue();
  }

  /// `-Dschema.write` writes it anew.
  @Test
  void theDocumentedSchemaIsTheReaders() throws Exception {
    var schema = Json.pretty(TestOutline.schema()) + "\n";
    if (System.getProperty("schema.write") != null) {
      Files.writeString(FILE, schema);
    }

    assertThat(FILE).hasContent(schema);
  }

  private static Tree whole() {
    return Yaml.readPlaced(WHOLE).getFirst().tree();
  }

  private static boolean isRead(Tree document) {
    try {
      return !TestReader.read(Path.of("t.yaml"), Yaml.write(document)).isEmpty();
    } catch (TestDocumentException e) {
      return false;
    }
  }

  private static @Nullable Object damaged(@Nullable Object value, Random random, int times) {
    var now = value;
    for (int i = 0; i < times; i++) {
      now = damagedOnce(now, random);
    }
    return now;
  }

  private static @Nullable Object damagedOnce(@Nullable Object value, Random random) {
    if (value instanceof Tree tree && !tree.isEmpty() && random.nextInt(6) > 0) {
      var names = List.copyOf(tree.names());
      var name = names.get(random.nextInt(names.size()));
      switch (random.nextInt(10)) {
        case 0 -> tree.remove(name);
        case 1 -> tree.put(WORDS.get(random.nextInt(WORDS.size())), tree.get(name));
        case 2 -> tree.put(name + "s", tree.get(name));
        default -> tree.put(name, damagedOnce(tree.get(name), random));
      }
      return tree;
    }
    if (value instanceof List<?> list && !list.isEmpty() && random.nextInt(6) > 0) {
      var copy = new ArrayList<@Nullable Object>(list);
      int at = random.nextInt(copy.size());
      if (random.nextInt(8) == 0) {
        copy.remove(at);
      } else {
        copy.set(at, damagedOnce(copy.get(at), random));
      }
      return copy;
    }
    return switch (random.nextInt(12)) {
      case 0 -> "";
      case 1 -> "some Text";
      case 2 -> 3L;
      case 3 -> -1L;
      case 4 -> 2.5;
      case 5 -> 4.0;
      case 6 -> true;
      case 7 -> new Tree();
      case 8 -> new ArrayList<>();
      case 9 -> Tree.of("zone", "b");
      case 10 -> new ArrayList<>(List.of("node-1"));
      default -> "10m";
    };
  }
}
