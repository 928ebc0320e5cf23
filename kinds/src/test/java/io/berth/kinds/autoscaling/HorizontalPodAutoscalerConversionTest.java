package io.berth.kinds.autoscaling;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Tree;
import io.berth.codec.Json;
import org.junit.jupiter.api.Test;

/// What the old version cannot say travels in annotations, and comes back whole.
class HorizontalPodAutoscalerConversionTest {

  private static final String REST =
      "'metadata':{'name':'h'},'spec':{'maxReplicas':5,'scaleTargetRef':{'kind':'D','name':'d'}";

  private final HorizontalPodAutoscalerConversion conversion =
      new HorizontalPodAutoscalerConversion();

  @Test
  void cpuInPercentIsAFieldOfItsOwn() {
    var stored =
        json(
            "{'apiVersion':'autoscaling/v2',"
                + REST
                + ",'metrics':[{'type':'Resource','resource':{'name':'cpu',"
                + "'target':{'type':'Utilization','averageUtilization':70}}}]}}");

    var served = conversion.fromStorage(stored.freeze());

    assertThat(served)
        .isEqualTo(
            json(
                "{'apiVersion':'autoscaling/v1',"
                    + REST
                    + ",'targetCPUUtilizationPercentage':70}}"));
    assertThat(conversion.toStorage(served)).isEqualTo(stored);
  }

  @Test
  void everythingElseComesBackAsItWas() {
    var stored =
        json(
            "{'apiVersion':'autoscaling/v2',"
                + REST
                + ",'behavior':{'scaleDown':{'stabilizationWindowSeconds':60}},'metrics':["
                + "{'type':'Resource','resource':{'name':'memory',"
                + "'target':{'averageValue':'1Gi','type':'AverageValue'}}},"
                + "{'type':'Pods','pods':{'metric':{'name':'qps'},"
                + "'target':{'averageValue':'10','type':'AverageValue'}}},"
                + "{'type':'Object','object':{'describedObject':{'kind':'Ingress','name':'i'},"
                + "'metric':{'name':'rps'},'target':{'value':'100','type':'Value'}}},"
                + "{'type':'External','external':{'metric':{'name':'queue',"
                + "'selector':{'matchLabels':{'q':'a'}}},"
                + "'target':{'averageValue':'30','type':'AverageValue'}}}]},"
                + "'status':{'conditions':[{'type':'AbleToScale','status':'True'}],"
                + "'currentMetrics':[{'type':'Resource','resource':{'name':'memory',"
                + "'current':{'averageValue':'1Gi'}}}]}}");

    var served = conversion.fromStorage(stored.freeze());

    assertThat(served.treeOrEmpty("spec").names()).containsExactly("maxReplicas", "scaleTargetRef");
    assertThat(served.text("metadata", "annotations", "autoscaling.alpha.kubernetes.io/metrics"))
        .startsWith(
            "[{\"type\":\"Resource\",\"resource\":{\"name\":\"memory\",\"targetAverageValue\":\"1Gi\"}}");
    assertThat(conversion.toStorage(served)).isEqualTo(stored);
  }

  private static Tree json(String text) {
    return Json.read(text.replace('\'', '"'));
  }
}
