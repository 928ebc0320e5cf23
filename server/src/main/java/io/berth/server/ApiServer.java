package io.berth.server;

import io.berth.admission.AdmissionChain;
import io.berth.kinds.Kinds;
import io.berth.server.access.Authorizer;
import io.berth.server.access.Authorizers;
import io.berth.server.access.BootstrapRoles;
import io.berth.server.access.FlowSchemas;
import io.berth.server.access.NodeAuthorizer;
import io.berth.server.access.Rbac;
import io.berth.server.aggregation.Aggregator;
import io.berth.server.budget.Budget;
import io.berth.server.budget.Memory;
import io.berth.server.custom.CustomResources;
import io.berth.server.discovery.Discovery;
import io.berth.server.discovery.OpenApiPaths;
import io.berth.server.http.HttpFront;
import io.berth.server.identity.Authenticator;
import io.berth.server.identity.Authority;
import io.berth.server.identity.Tokens;
import io.berth.server.registry.Catalog;
import io.berth.server.registry.Registry;
import io.berth.server.rest.ResourceEndpoint;
import io.berth.store.Store;
import java.time.InstantSource;
import java.util.List;

/// A Kubernetes API over a store: wires the stations of a request by hand.
///
/// [#registry()] is the same API for callers in this process, without HTTP. The store belongs to
/// the caller and is closed by it.
public final class ApiServer implements AutoCloseable {

  private final Registry registry;
  private final Pipeline pipeline;
  private final Authority authority;
  private final Authenticator authenticator;
  private final Authorizer authorizer;
  private final Aggregator aggregator;
  private final Memory memory = new Memory(Budget.ofHeap());
  private @org.jspecify.annotations.Nullable HttpFront front;

  public ApiServer(
      Store store, Authority authority, AdmissionChain admission, ServerSettings settings) {
    this.authority = authority;
    var clock = settings.clock();
    var lanes = new Lanes(Limits.WATCHES);
    var catalog = new Catalog(new Kinds(settings.gates()));
    var authorizers = new Authorizers();
    this.registry = new Registry(store, catalog, admission, authorizers, clock);
    var rbac = new Rbac(registry.objects());
    authorizers.use(new NodeAuthorizer(registry.objects(), BootstrapRoles.nodeRules()));
    authorizers.use(rbac);
    registry.observe(rbac::written);
    var flows = new FlowSchemas(registry.objects());
    registry.observe(flows::written);
    var metrics = new Metrics(store, lanes, memory, flows);
    var tokens = new Tokens(authority, settings.staticTokens(), registry.objects(), clock);
    this.authenticator = new Authenticator(authority.clientAuthorities(), tokens);
    this.authorizer = authorizers;
    var health = settings.health().with("etcd", store::isWritable);
    var discovery = new Discovery(settings.gates());
    var openApi = new OpenApiPaths(discovery, VersionInfo.VERSION);
    var frontProxy = settings.frontProxy();
    this.aggregator = Aggregator.serve(registry, discovery, openApi, frontProxy, clock);
    this.pipeline =
        new Pipeline(
            authenticator,
            authorizers,
            new ResourceEndpoint(registry, authorizers, tokens, settings, clock),
            new PathEndpoint(
                catalog,
                discovery,
                openApi,
                health,
                tokens,
                metrics,
                new SnapshotEndpoint(store),
                settings.documents()),
            aggregator,
            settings.audit(),
            lanes,
            flows,
            metrics);
    CustomResources.serve(registry, discovery, openApi, clock);
    Bootstrap.run(
        registry,
        () -> frontProxy.trust(authority.clientAuthoritiesPem()),
        settings.gates(),
        clock);
  }

  /// Begins in the background what takes long the first time: keys, TLS and HTTP.
  public static void prepare() {
    Thread.ofPlatform()
        .daemon()
        .name("server prepare")
        .start(() -> {
          var authority = Authority.open(null);
          var identity = authority.server(List.of("localhost"));
          HttpFront.prepare(identity.certificate(), identity.key());
        });
  }

  /// Listens. `hosts` are the names and addresses under which clients reach this server.
  ///
  /// @throws java.net.BindException when the port is taken
  public int listen(String address, int port, List<String> hosts) throws Exception {
    var identity = authority.server(hosts);
    front =
        HttpFront.start(
            address,
            port,
            identity.certificate(),
            identity.key(),
            authority.clientAuthorities(),
            pipeline,
            memory);
    KubernetesService.publish(registry, InstantSource.system(), address, front.port());
    return front.port();
  }

  /// Shows a new certificate for these names from now on, before the one from the start ends.
  public void renew(List<String> hosts) {
    aggregator.renew();
    if (front != null) {
      var identity = authority.server(hosts);
      front.renew(identity.certificate(), identity.key());
    }
  }

  /// The API as a function, for callers that bring their own transport.
  public io.berth.server.http.Endpoint endpoint() {
    return pipeline;
  }

  /// Serves something beside the API, from now on.
  public void add(Annex annex) {
    pipeline.add(annex);
  }

  public Authenticator authenticator() {
    return authenticator;
  }

  public Authorizer authorizer() {
    return authorizer;
  }

  /// What requests may hold; for other listeners of this process, which share it.
  public Memory memory() {
    return memory;
  }

  public Registry registry() {
    return registry;
  }

  @Override
  public void close() {
    aggregator.close();
    if (front != null) {
      front.close();
    }
  }
}
