package io.berth.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class PodResourcesTest {

  record Case(String name, Tree spec, String requests, String limits, QosClass qos) {}

  static final List<Case> CASES =
      List.of(
          new Case("nothing", spec(container("", "")), "", "", QosClass.BEST_EFFORT),
          new Case(
              "containers are added",
              spec(container("cpu=1,memory=1Gi", ""), container("cpu=500m", "")),
              "cpu=1500m,memory=1Gi",
              "",
              QosClass.BURSTABLE),
          new Case(
              "all limited and equal",
              spec(container("cpu=1,memory=1Gi", "cpu=1,memory=1Gi")),
              "cpu=1,memory=1Gi",
              "cpu=1,memory=1Gi",
              QosClass.GUARANTEED),
          new Case(
              "one container unlimited",
              spec(container("cpu=1,memory=1Gi", "cpu=1,memory=1Gi"), container("", "")),
              "cpu=1,memory=1Gi",
              "cpu=1,memory=1Gi",
              QosClass.BURSTABLE),
          new Case(
              "other resources make no class",
              spec(container("ephemeral-storage=1Gi", "ephemeral-storage=1Gi")),
              "ephemeral-storage=1Gi",
              "ephemeral-storage=1Gi",
              QosClass.BEST_EFFORT),
          new Case(
              "init containers run one at a time",
              spec(container("cpu=1", ""))
                  .put("initContainers", list(init("cpu=3"), init("cpu=2"))),
              "cpu=3",
              "",
              QosClass.BURSTABLE),
          new Case(
              "beside the sidecars before them",
              spec(container("cpu=1", ""))
                  .put("initContainers", list(init("cpu=2"), sidecar("cpu=1"), init("cpu=3"))),
              "cpu=4",
              "",
              QosClass.BURSTABLE),
          new Case(
              "the pod as a whole replaces the sum",
              spec(container("cpu=1,example.com/gpu=1", ""))
                  .put("resources", Tree.of("requests", amounts("cpu=3"))),
              "cpu=3,example.com/gpu=1",
              "",
              QosClass.BURSTABLE),
          new Case(
              "overhead counts where there is a limit",
              spec(container("cpu=1", "cpu=2")).put("overhead", amounts("cpu=250m,memory=1Gi")),
              "cpu=1250m,memory=1Gi",
              "cpu=2250m",
              QosClass.BURSTABLE));

  @ParameterizedTest(name = "{0}")
  @FieldSource("CASES")
  void addsUp(Case c) {
    assertThat(text(PodResources.requests(c.spec()))).isEqualTo(c.requests());
    assertThat(text(PodResources.limits(c.spec()))).isEqualTo(c.limits());
    assertThat(QosClass.of(c.spec())).isEqualTo(c.qos());
  }

  private static Tree spec(Tree... containers) {
    return Tree.of("containers", list(containers));
  }

  private static List<Tree> list(Tree... trees) {
    return List.of(trees);
  }

  private static Tree container(String requests, String limits) {
    return Tree.of("resources", Tree.of("requests", amounts(requests), "limits", amounts(limits)));
  }

  private static Tree init(String requests) {
    return container(requests, "");
  }

  private static Tree sidecar(String requests) {
    return container(requests, "").put("restartPolicy", "Always");
  }

  private static Tree amounts(String text) {
    var amounts = new Tree();
    for (var part : text.isEmpty() ? new String[0] : text.split(",", -1)) {
      var pair = part.split("=", 2);
      amounts.put(pair[0], pair[1]);
    }
    return amounts;
  }

  private static String text(Map<String, Quantity> amounts) {
    var parts = new TreeMap<>(amounts).entrySet().stream().map(Object::toString).toList();
    return String.join(",", parts);
  }
}
