package io.berth.conformance.kai;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Node;
import io.berth.api.Quantity;
import io.berth.api.Tree;
import io.berth.engine.Engine;
import io.berth.quota.Amounts;
import io.berth.quota.Arbiter;
import io.berth.quota.Gang;
import io.berth.quota.NodePool;
import io.berth.quota.OrgUnit.Department;
import io.berth.quota.OrgUnit.Project;
import io.berth.quota.Outcome.Standing;
import io.berth.quota.Quota;
import io.berth.quota.Quota.Entitlement;
import io.berth.quota.Situation;
import io.berth.quota.decide.Division;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// One resource is divided as KAI was recorded to divide it, without and with past use.
class RecordedDivisionsTest {

  @Test
  void sharesAreTheSame() throws Exception {
    var divisions = Recording.lines("divisions.jsonl");
    assertThat(divisions).hasSize(125);
    for (var division : divisions) {
      var claims = new ArrayList<Division.Claim>();
      var fair = new ArrayList<Long>();
      for (var queue : oldestFirst(division)) {
        claims.add(claim(queue));
        fair.add(thousandths(queue, "Fair"));
      }
      var shares = Division.divide(thousandths(division, "Total"), 1000, claims);
      assertThat(shares)
          .as("%s", division)
          .containsExactly(fair.stream().mapToLong(each -> each).toArray());
    }
  }

  private static List<Tree> oldestFirst(Tree division) {
    var queues = new ArrayList<>(division.trees("Queues"));
    queues.sort(
        Comparator.<Tree>comparingLong(queue -> queue.number(0, "Created"))
            .thenComparing(queue -> queue.textOrEmpty("Id")));
    return queues;
  }

  private static Division.Claim claim(Tree queue) {
    long limit = thousandths(queue, "Max");
    long wanted = thousandths(queue, "Request");
    return new Division.Claim(
        thousandths(queue, "Deserved"),
        limit < 0 ? wanted : Math.min(limit, wanted),
        BigInteger.valueOf(thousandths(queue, "Weight")),
        Math.toIntExact(queue.number(0, "Priority")));
  }

  /// Amounts are divided in whole units.
  private static long thousandths(Tree tree, String field) {
    return new BigDecimal(String.valueOf(tree.get(field))).movePointRight(3).longValue();
  }

  @Test
  void pastUseCountsAsAPartOfAllThereIs() throws Exception {
    for (var division : Recording.lines("usage.jsonl")) {
      var shares = sharesOf(division);
      for (var queue : division.trees("Queues")) {
        assertThat(shares.get(queue.textOrEmpty("Id")))
            .as("%s", division)
            .isEqualTo(thousandths(queue, "Fair"));
      }
    }
  }

  private static Map<String, Long> sharesOf(Tree division) {
    long total = division.number(0, "Total");
    var capacity =
        Map.of(
            "cpu", Quantity.of(64),
            "memory", Quantity.of(1L << 40),
            "pods", Quantity.of(110),
            "nvidia.com/gpu", Quantity.of(total));
    var node = new Node("n", Map.of(), false, List.of(), capacity, List.of(), List.of());
    var engine = new Engine(Arbiter.CONFIGURATION, 1);
    engine.put(node);
    var projects = new ArrayList<Project>();
    var usage = new HashMap<String, Amounts>();
    var gangs = new ArrayList<Gang>();
    for (var queue : division.trees("Queues")) {
      var id = queue.textOrEmpty("Id");
      var gpu = new Entitlement(0, Entitlement.UNLIMITED, thousandths(queue, "Weight"));
      var quota = new Quota(gpu, Entitlement.OPEN, Entitlement.OPEN, Quota.DEFAULT_RANK);
      projects.add(new Project(id, id, "d", Scene.START, Map.of(Scene.POOL, quota)));
      usage.put(id, new Amounts(thousandths(queue, "Usage") * total, 0, 0));
      gangs.add(RecordedGangs.asking(id, queue.number(0, "Request")));
    }
    var open = new Quota(Entitlement.OPEN, Entitlement.OPEN, Entitlement.OPEN, Quota.DEFAULT_RANK);
    var pool = NodePool.without(Scene.POOL, "none").withHistoryWeight(thousandths(division, "K"));
    var situation =
        new Situation(
            Scene.START,
            List.of(new Department("d", "d", Scene.START, Map.of(Scene.POOL, open))),
            projects,
            List.of(pool),
            List.of(node),
            gangs,
            Map.of(Scene.POOL, usage),
            List.of());
    var shares = new HashMap<String, Long>();
    for (Standing standing : new Arbiter(engine).decide(situation).standings()) {
      shares.put(standing.unit(), standing.fairShare().gpuMillis());
    }
    return shares;
  }
}
