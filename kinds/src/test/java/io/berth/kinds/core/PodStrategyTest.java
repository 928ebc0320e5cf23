package io.berth.kinds.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.FieldErrors;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Kinds;
import io.berth.kinds.Lifecycle;
import io.berth.kinds.Write;
import io.berth.kinds.meta.Cursor;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PodStrategyTest {

  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  private final PodStrategy strategy = new PodStrategy();

  @Test
  void mayChangeImagesButNotTheNodeSelector() {
    var old = pod();
    var image = old.copy();
    image.trees("spec", "containers").getFirst().put("image", "app:2");
    var selector = old.copy().putAt(Tree.of("zone", "a"), "spec", "nodeSelector");

    assertThat(updateErrors(image, old)).isEmpty();
    assertThat(updateErrors(selector, old))
        .singleElement()
        .asString()
        .startsWith("spec: Forbidden: pod updates may not change fields other than")
        .contains("+ \"nodeSelector\": {");
  }

  @Test
  void mayNarrowWhereAGatedPodGoes() {
    var old = pod().putAt(List.of(Tree.of("name", "g")), "spec", "schedulingGates");
    old.putAt(Tree.of("zone", "a"), "spec", "nodeSelector");
    var more = old.copy().putAt("ssd", "spec", "nodeSelector", "disk");
    var other = old.copy().putAt("b", "spec", "nodeSelector", "zone");

    assertThat(updateErrors(more, old)).isEmpty();
    assertThat(updateErrors(other, old))
        .containsExactly(
            "spec.nodeSelector: Invalid value: {\"zone\":\"b\"}: only additions to"
                + " spec.nodeSelector are allowed (no mutations or deletions)");
  }

  @Test
  void aCertificateLastsAnHourAtLeastAndAsLongAsItsSignerAllows() {
    assertThat(certificateErrors("example.com/signer", 91 * 86_400)).isEmpty();
    assertThat(certificateErrors("kubernetes.io/signer", 86_400)).isEmpty();
    assertThat(certificateErrors("example.com/signer", 3599))
        .singleElement()
        .asString()
        .endsWith("Invalid value: 3599: if provided, maxExpirationSeconds must be >= 3600");
    assertThat(certificateErrors("example.com/signer", 91 * 86_400 + 1))
        .singleElement()
        .asString()
        .endsWith("Invalid value: 7862401: if provided, maxExpirationSeconds must be <= 7862400");
    assertThat(certificateErrors("node.kubernetes.io/signer", 86_401))
        .singleElement()
        .asString()
        .endsWith("Invalid value: 86401: if provided, maxExpirationSeconds must be <= 86400");
  }

  private List<String> certificateErrors(String signer, long seconds) {
    var certificate =
        Tree.of(
            "signerName",
            signer,
            "keyType",
            "ED25519",
            "keyPath",
            "key.pem",
            "maxExpirationSeconds",
            seconds);
    var sources = List.of(Tree.of("podCertificate", certificate));
    var pod = pod();
    pod.putAt(
        List.of(Tree.of("name", "v", "projected", Tree.of("sources", sources))), "spec", "volumes");
    var errors = new FieldErrors();
    strategy.validateCreate(Cursor.of(Resource.PODS, pod, errors));
    return errors.list().stream().map(String::valueOf).toList();
  }

  @Test
  void countsTheGenerationOfTheSpecOnly() {
    var old = pod().putAt(4, "metadata", "generation");
    var labelled = old.copy().putAt("b", "metadata", "labels", "a");
    var ungated = old.copy().putAt(60, "spec", "activeDeadlineSeconds");

    var pods = new Kinds().find("", "v1", "pods").orElseThrow();
    Lifecycle.beforeUpdate(pods, pods.strategy(), labelled, old, Write.bySystem(NOW));
    Lifecycle.beforeUpdate(pods, pods.strategy(), ungated, old, Write.bySystem(NOW));

    assertThat(labelled.number(0, "metadata", "generation")).isEqualTo(4);
    assertThat(ungated.number(0, "metadata", "generation")).isEqualTo(5);
  }

  @Test
  void showsHowAPodIsInOneWord() {
    var crashing = pod();
    crashing.putAt("Running", "status", "phase");
    crashing.putAt(
        List.of(
            Tree.of(
                "name",
                "c",
                "restartCount",
                3,
                "state",
                Tree.of("waiting", Tree.of("reason", "CrashLoopBackOff")),
                "lastState",
                Tree.of("terminated", Tree.of("finishedAt", "2025-12-31T23:55:00Z")))),
        "status",
        "containerStatuses");

    assertThat(strategy.cells(crashing, NOW).subList(1, 4))
        .containsExactly("0/1", "CrashLoopBackOff", "3 (5m ago)");
  }

  @Test
  void goesAtOnceWhenItNeverRan() {
    var bound = pod().putAt("n1", "spec", "nodeName");

    assertThat(strategy.gracePeriodSeconds(pod(), 20L)).isZero();
    assertThat(strategy.gracePeriodSeconds(bound, null)).isEqualTo(30);
    assertThat(strategy.gracePeriodSeconds(bound, -5L)).isEqualTo(1);
  }

  private List<String> updateErrors(Tree pod, Tree old) {
    var errors = new FieldErrors();
    strategy.validateUpdate(Cursor.of(Resource.PODS, pod, errors), old);
    var lines = new ArrayList<String>();
    errors.list().forEach(error -> lines.add(error.toString()));
    return lines;
  }

  private Tree pod() {
    var pod =
        Tree.of(
            "metadata",
            Tree.of("name", "p", "namespace", "n", "resourceVersion", "1"),
            "spec",
            Tree.of("containers", List.of(Tree.of("name", "c", "image", "app:1"))));
    strategy.setDefaults(pod);
    return pod;
  }
}
