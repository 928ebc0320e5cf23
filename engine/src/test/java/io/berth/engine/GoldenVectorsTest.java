package io.berth.engine;

import static io.berth.engine.World.asking;
import static io.berth.engine.World.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.engine.rule.Normalization;
import org.junit.jupiter.api.Test;

/// Figures worked out by hand from Kubernetes' formulas, most of them also in its own unit tests.
class GoldenVectorsTest {

  private static final String ROOMY = "{'cpu':'100','memory':'1000Gi','pods':'110'}";
  private static final String HOST = "kubernetes.io/hostname";
  private static final String ZONE = "topology.kubernetes.io/zone";

  @Test
  void normalizesByTheHighest() {
    assertThat(byMax(1, 100, 0)).containsExactly(1, 100, 0);
    assertThat(byMax(1, 0, 0)).containsExactly(100, 0, 0);
    assertThat(byMax(3, 7, 10)).containsExactly(30, 70, 100);
    assertThat(byMaxReversed(2, 1, 0)).containsExactly(0, 50, 100);
    assertThat(byMaxReversed(0, 0)).containsExactly(100, 100);
  }

  private static long[] byMax(long... scores) {
    Normalization.BY_MAX.all(scores);
    return scores;
  }

  private static long[] byMaxReversed(long... scores) {
    Normalization.BY_MAX_REVERSED.all(scores);
    return scores;
  }

  @Test
  void scoresLeastAllocated() {
    var world =
        new World()
            .node("a", "{'cpu':'4','memory':'10000','pods':'9'}", "{}")
            .node("b", "{'cpu':'6','memory':'10000','pods':'9'}", "{}");

    assertThat(world.scores("NodeResourcesFit", pod(asking("{'cpu':'3','memory':'5000'}"))))
        .containsExactly(37, 50);
  }

  @Test
  void countsPodsThatAskForNothingALittle() {
    var node = "{'cpu':'4','memory':'32Gi','pods':'9'}";
    var world = new World().node("a", node, "{}").node("b", node, "{}");

    assertThat(world.scores("NodeResourcesFit", pod(asking("{'cpu':'100m','memory':'500Mi'}"))))
        .containsExactly(97, 97);
    assertThat(world.scores("NodeResourcesFit", pod(asking("{}")))).containsExactly(98, 98);
  }

  @Test
  void scoresByRequestedToCapacityRatio() {
    assertThat(ratio("[{'utilization':0,'score':0},{'utilization':100,'score':10}]", 75))
        .isEqualTo(75);
    assertThat(ratio("[{'utilization':0,'score':10},{'utilization':100,'score':0}]", 30))
        .isEqualTo(70);
    assertThat(ratio("[{'utilization':0,'score':0},{'utilization':33,'score':10}]", 20))
        .isEqualTo(60);
  }

  private static long ratio(String shape, int utilization) {
    var world =
        new World(
            """
            {'name':'NodeResourcesFit','args':{'scoringStrategy':{
              'type':'RequestedToCapacityRatio','resources':[{'name':'cpu','weight':1}],
              'requestedToCapacityRatio':{'shape':%s}}}}
            """
                .formatted(shape));
    var node = "{'cpu':'100','memory':'1Gi','pods':'9'}";
    world.node("a", node, "{}").node("b", node, "{}");
    return world.scores("NodeResourcesFit", pod(asking("{'cpu':'" + utilization + "'}")))[0];
  }

  @Test
  void scoresBalance() {
    assertThat(
            balance("{'cpu':'4','memory':'10000','pods':'9'}", "{}", "{'cpu':'3','memory':'5000'}"))
        .isEqualTo(68);
    assertThat(
            balance(
                "{'cpu':'10','memory':'20000','pods':'9'}",
                "{'cpu':'3'}",
                "{'cpu':'3','memory':'5000'}"))
        .isEqualTo(73);
    assertThat(
            balance("{'cpu':'3','memory':'5000','pods':'9'}", "{'cpu':'3'}", "{'memory':'5000'}"))
        .isEqualTo(100);
    assertThat(balance("{'cpu':'3','memory':'5000','pods':'9'}", "{}", "{'memory':'5000'}"))
        .isEqualTo(50);
  }

  private static long balance(String node, String taken, String asked) {
    var world = new World().node("a", node, "{}").node("b", ROOMY, "{}");
    world.pods("a", 1, "{'x':'y'}", asking(taken));
    return world.scores("NodeResourcesBalancedAllocation", pod(asking(asked)))[0];
  }

  @Test
  void scoresBalanceOfThreeResources() {
    var world =
        new World(
            """
            {'name':'NodeResourcesBalancedAllocation','args':{'resources':[
              {'name':'cpu','weight':1},{'name':'memory','weight':1},{'name':'x.io/gpu','weight':1}]}}
            """);
    var node = "{'cpu':'3500m','memory':'40000','x.io/gpu':'8','pods':'9'}";
    world.node("a", node, "{}").node("b", node, "{}");
    world.pods("a", 1, "{}", asking("{'cpu':'3','memory':'5000','x.io/gpu':'3'}"));

    assertThat(world.scores("NodeResourcesBalancedAllocation", pod(asking("{'x.io/gpu':'1'}")))[0])
        .isEqualTo(75);
  }

  @Test
  void spreadsSoftlyOverHosts() {
    assertThat(hostSpread(1, 2, 1, 0, 3)).containsExactly(20, 60, 100, 0);
    assertThat(hostSpread(2, 2, 1, 0, 3)).containsExactly(33, 66, 100, 16);
    assertThat(hostSpread(3, 4, 3, 2, 1)).containsExactly(44, 66, 77, 100);
  }

  @Test
  void roundsSpreadBeforeNormalizing() {
    assertThat(hostWorld(2, 1, 0, 3).raw("PodTopologySpread", spreading(soft(1, HOST))))
        .containsExactly(4, 2, 0, 5);
  }

  private static long[] hostSpread(int maxSkew, int... matching) {
    return hostWorld(matching).scores("PodTopologySpread", spreading(soft(maxSkew, HOST)));
  }

  private static World hostWorld(int... matching) {
    var world = new World();
    for (int i = 0; i < matching.length; i++) {
      world.node("n" + i, ROOMY, "{'%s':'n%d'}".formatted(HOST, i));
      world.pods("n" + i, matching[i], "{'app':'a'}", asking("{}"));
    }
    return world;
  }

  private static io.berth.api.Pod spreading(String constraints) {
    return spreading(constraints, "{}");
  }

  private static io.berth.api.Pod spreading(String constraints, String selector) {
    return pod(
        "pod",
        "{'app':'a'}",
        "{'containers':[{'name':'c','image':'none'}],'nodeSelector':%s,'topologySpreadConstraints':[%s]}"
            .formatted(selector, constraints));
  }

  private static String soft(int maxSkew, String key) {
    return constraint(maxSkew, key, "ScheduleAnyway", 1);
  }

  private static String constraint(int maxSkew, String key, String when, int minDomains) {
    return "{'maxSkew':%d,'topologyKey':'%s','whenUnsatisfiable':'%s','minDomains':%d,'nodeAffinityPolicy':'Ignore','labelSelector':{'matchLabels':{'app':'a'}}}"
        .formatted(maxSkew, key, when, minDomains);
  }

  @Test
  void countsPodsOnNodesThatAreNotFeasible() {
    var world = new World();
    zoneNode(world, "a", "1", "yes", 4);
    zoneNode(world, "b", "1", "yes", 2);
    zoneNode(world, "x", "2", "yes", 1);
    zoneNode(world, "y", "2", "no", 3);

    assertThat(world.scores("PodTopologySpread", spreading(soft(1, ZONE), "{'ok':'yes'}")))
        .containsExactly(75, 75, 100);
  }

  @Test
  void addsUpSeveralSoftConstraints() {
    var world = new World();
    zoneNode(world, "a", "1", "yes", 2);
    zoneNode(world, "b", "1", "no", 1);
    zoneNode(world, "x", "2", "yes", 2);
    zoneNode(world, "y", "2", "no", 4);

    assertThat(
            world.scores(
                "PodTopologySpread",
                spreading(soft(1, ZONE) + "," + soft(1, HOST), "{'ok':'yes'}")))
        .containsExactly(100, 63);
  }

  private static void zoneNode(World world, String name, String zone, String ok, int matching) {
    world.node(
        name, ROOMY, "{'%s':'%s','%s':'%s','ok':'%s'}".formatted(HOST, name, ZONE, zone, ok));
    world.pods(name, matching, "{'app':'a'}", asking("{}"));
  }

  @Test
  void refusesSkewedDomains() {
    var world = new World();
    zoneNode(world, "a", "1", "yes", 3);
    zoneNode(world, "b", "2", "yes", 1);
    zoneNode(world, "c", "3", "yes", 1);

    var examined = world.engine.examine(spreading(constraint(1, ZONE, "DoNotSchedule", 1)));

    assertThat(examined.feasible()).containsExactly("b", "c");
  }

  @Test
  void countsFromZeroWithTooFewDomains() {
    var world = new World();
    zoneNode(world, "a", "1", "yes", 2);
    zoneNode(world, "b", "2", "yes", 2);
    zoneNode(world, "c", "3", "yes", 2);

    var examined = world.engine.examine(spreading(constraint(2, ZONE, "DoNotSchedule", 5)));

    assertThat(examined.feasible()).isEmpty();
  }

  @Test
  void normalizesPodAffinityBetweenLowestAndHighest() {
    assertThat(Normalization.BY_RANGE.of(-5, -5, 7)).isEqualTo(0);
    assertThat(Normalization.BY_RANGE.of(0, -5, 7)).isEqualTo(41);
    assertThat(Normalization.BY_RANGE.of(7, -5, 7)).isEqualTo(100);
    assertThat(Normalization.BY_RANGE.of(3, 3, 3)).isEqualTo(0);
  }

  @Test
  void countsPreferencesOfPodsAlreadyThere() {
    var world = new World();
    for (var name : new String[] {"a", "b", "c"}) {
      world.node(name, ROOMY, "{'%s':'%s'}".formatted(HOST, name));
    }
    world.pods("a", 1, "{}", preferring("podAffinity"));
    world.pods("b", 1, "{}", preferring("podAntiAffinity"));
    var newcomer = pod("pod", "{'app':'new'}", asking("{}"));

    assertThat(world.raw("InterPodAffinity", newcomer)).containsExactly(10, -10, 0);
    assertThat(world.scores("InterPodAffinity", newcomer)).containsExactly(100, 0, 50);
  }

  private static String preferring(String kind) {
    return """
    {'containers':[{'name':'c','image':'none'}],'affinity':{'%s':{
      'preferredDuringSchedulingIgnoredDuringExecution':[{'weight':10,'podAffinityTerm':{
        'topologyKey':'kubernetes.io/hostname','labelSelector':{'matchLabels':{'app':'new'}}}}]}}}
    """
        .formatted(kind);
  }

  @Test
  void scoresImagesByHowManyNodesHaveThem() {
    var world =
        new World()
            .node("a", ROOMY, "{}", images("gcr.io/40:latest", 40, "gcr.io/300:latest", 300))
            .node("b", ROOMY, "{}", images("gcr.io/250:latest", 250, "gcr.io/10:latest", 10));
    var pod =
        pod("{'containers':[{'name':'c','image':'gcr.io/40'},{'name':'d','image':'gcr.io/250'}]}");
    var other =
        pod("{'containers':[{'name':'c','image':'gcr.io/40'},{'name':'d','image':'gcr.io/300'}]}");

    assertThat(world.scores("ImageLocality", pod)).containsExactly(0, 5);
    assertThat(world.scores("ImageLocality", other)).containsExactly(7, 0);
  }

  private static String images(String name, int mib, String other, int otherMib) {
    return "[{'names':['%s'],'sizeBytes':%d},{'names':['%s'],'sizeBytes':%d}]"
        .formatted(name, mib * 1024L * 1024, other, otherMib * 1024L * 1024);
  }

  @Test
  void comparesNodeLabelsAsIntegers() {
    assertThat(matches("{'mem':'16'}", "Gt", "16")).isFalse();
    assertThat(matches("{'mem':'16'}", "Gt", "15")).isTrue();
    assertThat(matches("{'mem':'16'}", "Lt", "17")).isTrue();
    assertThat(matches("{'mem':'16.0'}", "Gt", "15")).isFalse();
    assertThat(matches("{}", "Gt", "15")).isFalse();
    assertThat(matches("{}", "NotIn", "15")).isTrue();
  }

  private static boolean matches(String labels, String operator, String value) {
    return fits(
        labels,
        "[{'matchExpressions':[{'key':'mem','operator':'%s','values':['%s']}]}]"
            .formatted(operator, value));
  }

  @Test
  void lastsNothingOfEmptyTerms() {
    var zoneA = "{'matchExpressions':[{'key':'zone','operator':'In','values':['a']}]}";

    assertThat(fits("{'zone':'a'}", "[{}]")).isFalse();
    assertThat(fits("{'zone':'a'}", "[{}," + zoneA + "]")).isTrue();
  }

  private static boolean fits(String labels, String terms) {
    var world = new World().node("a", ROOMY, labels);
    var spec =
        """
        {'containers':[{'name':'c','image':'none'}],'affinity':{'nodeAffinity':{
          'requiredDuringSchedulingIgnoredDuringExecution':{'nodeSelectorTerms':%s}}}}
        """
            .formatted(terms);
    return world.engine.decide(pod(spec)) instanceof Decision.Placed;
  }

  @Test
  void addsUpInitContainersSidecarsAndOverhead() {
    var spec =
        """
        {'overhead':{'cpu':'250m'},
         'initContainers':[
           {'name':'i','image':'x','resources':{'requests':{'cpu':'2'}}},
           {'name':'s','image':'x','restartPolicy':'Always','resources':{'requests':{'cpu':'1'}}},
           {'name':'j','image':'x','resources':{'requests':{'cpu':'3'}}}],
         'containers':[
           {'name':'c','image':'x','resources':{'requests':{'cpu':'1'}}},
           {'name':'d','image':'x','resources':{'requests':{'cpu':'1'}}}]}
        """;

    assertThat(fitsInto("4250m", spec)).isTrue();
    assertThat(fitsInto("4249m", spec)).isFalse();
  }

  private static boolean fitsInto(String cpu, String spec) {
    var world = new World().node("a", "{'cpu':'%s','pods':'9'}".formatted(cpu), "{}");
    return world.engine.decide(pod(spec)) instanceof Decision.Placed;
  }

  @Test
  void sortsReasonsAsText() {
    var world = new World();
    for (int i = 0; i < 10; i++) {
      world.node("small" + i, "{'cpu':'1','pods':'9'}", "{}");
    }
    world.node("x", "{'cpu':'9','pods':'0'}", "{}").node("y", "{'cpu':'9','pods':'0'}", "{}");

    var decision = world.engine.decide(pod(asking("{'cpu':'2'}")));

    assertThat(decision)
        .isInstanceOfSatisfying(
            Decision.Unschedulable.class,
            unschedulable ->
                assertThat(unschedulable.message())
                    .isEqualTo(
                        "0/12 nodes are available: 10 Insufficient cpu, 2 Too many pods."
                            + " preemption: 0/12 nodes are available: 10 Preemption is not helpful"
                            + " for scheduling, 2 No preemption victims found for incoming pod."));
  }

  @Test
  void countsHostPortsByAddressAndProtocol() {
    assertThat(portsConflict("0.0.0.0", "TCP", "10.0.0.1", "TCP")).isTrue();
    assertThat(portsConflict("10.0.0.1", "TCP", "10.0.0.2", "TCP")).isFalse();
    assertThat(portsConflict("10.0.0.1", "TCP", "10.0.0.1", "UDP")).isFalse();
  }

  private static boolean portsConflict(
      String ip, String protocol, String otherIp, String otherProtocol) {
    var world = new World().node("a", ROOMY, "{}");
    world.pods("a", 1, "{}", withPort(ip, protocol));
    return !(world.engine.decide(pod(withPort(otherIp, otherProtocol))) instanceof Decision.Placed);
  }

  private static String withPort(String ip, String protocol) {
    return "{'containers':[{'name':'c','image':'x','ports':[{'hostPort':80,'hostIP':'%s','protocol':'%s'}]}]}"
        .formatted(ip, protocol);
  }
}
