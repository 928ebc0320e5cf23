package io.berth.workloads;

import io.berth.answers.live.LiveCluster;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Cluster;
import io.berth.workloads.access.Account;
import io.berth.workloads.access.Accounts;
import io.berth.workloads.access.Callers;
import io.berth.workloads.access.Roles;
import io.berth.workloads.access.Scopes;
import io.berth.workloads.access.Tokens;
import io.berth.workloads.asset.AssetRoutes;
import io.berth.workloads.asset.Assets;
import io.berth.workloads.asset.TemplateRoutes;
import io.berth.workloads.control.WorkloadController;
import io.berth.workloads.control.WorkloadRules;
import io.berth.workloads.door.Door;
import io.berth.workloads.door.Rules;
import io.berth.workloads.http.Answer;
import io.berth.workloads.http.Request;
import io.berth.workloads.iam.AccessRuleRoutes;
import io.berth.workloads.iam.AccountRoutes;
import io.berth.workloads.iam.AuditRoutes;
import io.berth.workloads.iam.RoleRoutes;
import io.berth.workloads.iam.TokenRoutes;
import io.berth.workloads.org.ClusterRoutes;
import io.berth.workloads.org.DepartmentRoutes;
import io.berth.workloads.org.DepartmentRules;
import io.berth.workloads.org.NodePoolRoutes;
import io.berth.workloads.org.NodePoolRules;
import io.berth.workloads.org.NodePools;
import io.berth.workloads.org.NodeRoutes;
import io.berth.workloads.org.ProjectRoutes;
import io.berth.workloads.org.ProjectRules;
import io.berth.workloads.org.Projects;
import io.berth.workloads.org.Ranks;
import io.berth.workloads.org.TopologyRoutes;
import io.berth.workloads.policies.Policies;
import io.berth.workloads.policies.PolicyRoutes;
import io.berth.workloads.policies.PolicyRules;
import io.berth.workloads.rest.AuditLog;
import io.berth.workloads.rest.OpenApi;
import io.berth.workloads.rest.Route;
import io.berth.workloads.rest.Router;
import io.berth.workloads.rest.Routes;
import io.berth.workloads.serve.CatalogRoutes;
import io.berth.workloads.serve.ExplainRoutes;
import io.berth.workloads.serve.NodeTelemetry;
import io.berth.workloads.serve.NotServedRoutes;
import io.berth.workloads.serve.OrgMetricRoutes;
import io.berth.workloads.serve.RevisionRoutes;
import io.berth.workloads.serve.SubmitRoutes;
import io.berth.workloads.serve.UnitTelemetry;
import io.berth.workloads.serve.WatchRoutes;
import io.berth.workloads.serve.WorkloadRoutes;
import io.berth.workloads.sharing.Admission;
import io.berth.workloads.state.BerthKinds;
import io.berth.workloads.state.Definitions;
import io.berth.workloads.state.State;
import io.berth.workloads.submit.Submission;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The workload layer on a cluster: wires its parts by hand, and answers requests.
public final class Workloads implements AutoCloseable {

  private static final String ADMINISTRATOR = "admin";

  private final State state;
  private final Accounts accounts;
  private final AccessRuleRoutes rules;
  private final Scopes scopes;
  private final Router router;
  private final Door door;
  private final WorkloadController controller;

  private Workloads(State state, LiveCluster live, List<Tree> audited, AuditSink audit) {
    this.state = state;
    this.accounts = new Accounts(state);
    this.scopes = new Scopes(state);
    var tokens = new Tokens(state, accounts);
    var callers = new Callers(state, tokens, scopes);
    var pools = new NodePools(state);
    var departmentRules = new DepartmentRules(state, pools);
    var projectRules = new ProjectRules(state, pools);
    var poolRules = new NodePoolRules(state, pools);
    var assets = new Assets(state, scopes);
    var policies = new Policies(state, scopes, assets);
    var policyRules = new PolicyRules(state, scopes, policies, assets);
    var departments = new DepartmentRoutes(state, scopes, pools, departmentRules);
    this.rules = new AccessRuleRoutes(state, scopes);
    pools.ensureDefault();
    departments.ensureDefault();

    var routes = new Routes();
    new TokenRoutes(accounts, tokens).addTo(routes);
    new AccountRoutes(state, accounts, callers, scopes).addTo(routes);
    new RoleRoutes(state).addTo(routes);
    rules.addTo(routes);
    new ClusterRoutes(state, scopes).addTo(routes);
    departments.addTo(routes);
    new ProjectRoutes(state, scopes, pools, projectRules).addTo(routes);
    Ranks.addTo(routes);
    new NodePoolRoutes(state, pools, scopes, poolRules).addTo(routes);
    new NodeRoutes(state, pools).addTo(routes);
    new TopologyRoutes(state, scopes).addTo(routes);
    new PolicyRoutes(state, policies, policyRules).addTo(routes);
    var projects = new Projects(state);
    var submission = new Submission(state, pools, projects, policies);
    new SubmitRoutes(state, submission).addTo(routes);
    new WorkloadRoutes(state).addTo(routes);
    new RevisionRoutes(state).addTo(routes);
    new WatchRoutes(state, callers).addTo(routes);
    var admission = new Admission(state, pools, projects);
    new ExplainRoutes(state, pools, admission, live).addTo(routes);
    new OrgMetricRoutes(state, pools).addTo(routes);
    new NodeTelemetry(state, pools).addTo(routes);
    new UnitTelemetry(state, pools).addTo(routes);
    new AssetRoutes(state, scopes, assets).addTo(routes);
    new TemplateRoutes(state, scopes).addTo(routes);
    new CatalogRoutes(state, scopes).addTo(routes);
    NotServedRoutes.addTo(routes);
    var log = new AuditLog(state, audited, audit);
    new AuditRoutes(log, scopes).addTo(routes);
    routes
        .get("/openapi/workloads.json", "openapi", _ -> Answer.json(200, document(routes)))
        .open();
    var rules =
        new HashMap<Resource, Rules>(
            Map.of(
                BerthKinds.DEPARTMENTS, departmentRules,
                BerthKinds.PROJECTS, projectRules,
                BerthKinds.NODE_POOLS, poolRules,
                BerthKinds.POLICIES, policyRules));
    for (var resource : BerthKinds.WORKLOADS) {
      rules.put(resource, new WorkloadRules(state, projects, submission));
    }
    this.door = new Door(state, rules);
    this.controller = new WorkloadController(state, door, admission, projects, submission);
    this.router = new Router(routes.all(), callers, log);
  }

  private static Tree document(Routes routes) {
    return OpenApi.document(routes.all());
  }

  /// Installs the custom resources, follows the cluster, and returns when requests can be served.
  ///
  /// `live` is asked where pods can go. Every audited request goes to `audit`, at once.
  public static Workloads start(
      Cluster cluster, LiveCluster live, InstantSource clock, AuditSink audit)
      throws InterruptedException {
    return start(cluster, live, clock, List.of(), audit);
  }

  /// As above; `audited` is what earlier runs gave to `audit`, oldest first.
  public static Workloads start(
      Cluster cluster, LiveCluster live, InstantSource clock, List<Tree> audited, AuditSink audit)
      throws InterruptedException {
    Definitions.install(cluster);
    var workloads = new Workloads(State.open(cluster, clock), live, audited, audit);
    workloads.controller.start();
    return workloads;
  }

  public Answer answer(Request request) {
    return router.answer(request);
  }

  /// Where what kubectl writes is judged.
  public Door door() {
    return door;
  }

  public List<Route> routes() {
    return router.routes();
  }

  /// An account and its secret.
  public record Credentials(String clientId, String clientSecret) {}

  /// The administrator's credentials: made on first start, made anew when nobody has them any more.
  ///
  /// `known` are those that were given out before, if they are still at hand.
  public Credentials administrator(@Nullable Credentials known) {
    if (known != null
        && accounts.authenticate(known.clientId(), known.clientSecret()).isPresent()) {
      return known;
    }
    var existing =
        accounts.all(Account.Kind.SERVICE_ACCOUNT).stream()
            .filter(account -> account.name().equals(ADMINISTRATOR))
            .findFirst();
    if (existing.isPresent()) {
      return new Credentials(existing.get().clientId(), accounts.renewSecret(existing.get()));
    }
    var created = accounts.create(Account.Kind.SERVICE_ACCOUNT, ADMINISTRATOR, "berth", "");
    var clientId = created.account().clientId();
    rules.grant(
        clientId,
        Account.Kind.SERVICE_ACCOUNT.text(),
        Roles.administrator(),
        scopes.tenant(),
        "berth");
    return new Credentials(clientId, created.secret());
  }

  @Override
  public void close() {
    controller.close();
    state.close();
  }
}
