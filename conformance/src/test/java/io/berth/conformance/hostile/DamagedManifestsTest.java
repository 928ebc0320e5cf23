package io.berth.conformance.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.answers.explain.Explanations;
import io.berth.answers.source.Manifest;
import io.berth.answers.source.ManifestException;
import io.berth.answers.source.ManifestReader;
import io.berth.answers.source.Survey;
import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.conformance.EngineRespondent;
import io.berth.conformance.random.RandomCases;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Files with damaged objects are refused with their place, or explained; nothing else happens.
class DamagedManifestsTest {

  private static final int ROUNDS = Integer.getInteger("berth.rounds", 150);
  private static final long SEED = Long.getLong("berth.seed", 1);

  private int refused;
  private int explained;

  @Test
  void damagedFilesAreRefusedOrExplained() throws IOException {
    var cases = new RandomCases(new EngineRespondent(), true);
    for (long seed = SEED; seed < SEED + ROUNDS; seed++) {
      var random = new Random(seed);
      var made = cases.of(seed);
      var objects = new ArrayList<Tree>();
      made.objects("nodes").forEach(node -> objects.add(typed("Node", node)));
      made.objects("pods").forEach(pod -> objects.add(typed("Pod", pod)));
      objects.add(typed("Pod", Tree.of("metadata", Tree.of("name", "asked"))));
      new Vandal(random::nextInt).damage(objects.get(random.nextInt(objects.size())), 2);
      explain(objects, "seed " + seed);
    }
    assertThat(refused).isPositive();
    assertThat(explained).isPositive();
  }

  private static Tree typed(String kind, Tree object) {
    return object.copy().put("apiVersion", "v1").put("kind", kind);
  }

  private void explain(List<Tree> objects, String what) throws IOException {
    var file = Json.write(Tree.of("apiVersion", "v1", "kind", "List").put("items", objects));
    List<Manifest> manifests;
    Survey survey;
    try {
      manifests = ManifestReader.read("damaged.json", new ByteArrayInputStream(file));
      survey = Survey.of(manifests);
    } catch (ManifestException e) {
      assertThat(e.getMessage()).as(what).startsWith("damaged.json:1: ");
      refused++;
      return;
    }
    var explanations = new Explanations(survey);
    for (var pod : survey.waiting()) {
      explanations.explain(pod, Explanations.Wish.SUGGESTIONS);
      explained++;
    }
  }
}
