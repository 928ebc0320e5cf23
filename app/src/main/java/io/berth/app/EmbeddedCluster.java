package io.berth.app;

import io.berth.admission.AdmissionChain;
import io.berth.admission.webhook.Unreachable;
import io.berth.answers.live.LiveCluster;
import io.berth.api.Tree;
import io.berth.cli.LocalCluster;
import io.berth.cli.UserError;
import io.berth.cluster.embedded.InProcessCluster;
import io.berth.codec.Json;
import io.berth.controllers.kubelet.Logs;
import io.berth.server.ApiServer;
import io.berth.server.Audit;
import io.berth.server.ContainerLogs;
import io.berth.server.ServerSettings;
import io.berth.server.identity.Authority;
import io.berth.server.identity.DamagedKeyException;
import io.berth.store.Codec;
import io.berth.store.CorruptStoreException;
import io.berth.store.Settings;
import io.berth.store.Store;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/// A whole cluster in this process: store, API server, and then the components that are its
/// clients.
///
/// Parts are closed in the opposite order of their start.
final class EmbeddedCluster implements LocalCluster.Running {

  /// The workload layer, as a component of the cluster.
  private static final String WORKLOADS = "berth-workloads";

  private final List<AutoCloseable> parts = new ArrayList<>();
  private volatile @Nullable Components components;
  private final List<String> notes = new ArrayList<>();
  private final List<Renewals.Renewal> renewals = new ArrayList<>();
  private final CountDownLatch stop = new CountDownLatch(1);
  private final Tree facts;

  private EmbeddedCluster(LocalCluster.Options options, RunFolder folder) throws Exception {
    parts.add(folder);
    try {
      this.facts = assemble(options);
      folder.publish(facts);
    } catch (Exception e) {
      close();
      throw e;
    }
  }

  private Tree assemble(LocalCluster.Options options) throws Exception {
    long begin = System.nanoTime();
    var door = new WorkloadDoor("system:" + WORKLOADS);
    var skipped = new SkippedWebhooks();
    parts.add(skipped);
    var admission = admission(options.admission(), skipped).and(door);
    var authority =
        GivenCredentials.in(
            options.credentials(),
            Authority.open(options.inMemory() ? null : options.folder().resolve("pki")));
    var store = open(options);
    parts.add(store);
    var audit = options.inMemory() ? Audit.NONE : Audit.in(options.folder().resolve("audit.log"));
    parts.add(audit);
    var settings =
        ServerSettings.plain()
            .withAudit(audit)
            .withStaticTokens(GivenCredentials.tokens(options.credentials()))
            .withLogs(EmbeddedCluster::logs)
            .withGates(options.gates())
            .withDocument(ClusterSurvey.SCHEDULER, this::scheduler)
            .withComponents(
                options.apiOnly() ? Set.of() : Set.of("controller-manager", "scheduler"));
    var server = new ApiServer(store, authority, admission, settings);
    parts.add(server);
    skipped.writeTo(
        new InProcessCluster(server.registry(), "kube-apiserver", InstantSource.system()));
    int port = listen(server, options);
    var url = "https://%s:%d".formatted(host(options.address()), port);
    Kubeconfig.write(options.kubeconfig(), url, authority);
    String workloads = null;
    if (!options.apiOnly()) {
      var all =
          new Components(server.registry(), authority, options.simulation(), options.scheduler());
      components = all;
      parts.add(all);
      workloads = workloads(server, all.live(), authority, options, door);
    }
    var console = EmbeddedConsole.of(server, url, port, components);
    parts.add(console);
    server.add(console);
    renewals.add(() -> server.renew(hosts(options.address())));
    renewals.add(() -> Kubeconfig.write(options.kubeconfig(), url, authority));
    parts.add(new Renewals(InstantSource.system(), renewals));
    return Tree.of(
        "pid",
        ProcessHandle.current().pid(),
        "server",
        url,
        "workloads",
        workloads,
        "console",
        url + "/console/",
        "port",
        port,
        "kubeconfig",
        options.kubeconfig().toString(),
        "data",
        options.inMemory() ? "in memory" : options.folder().toString(),
        "notes",
        notes,
        "components",
        options.apiOnly() ? "API" : "API, controllers, scheduler, simulated nodes",
        "started",
        Instant.now().toString(),
        "readyMillis",
        (System.nanoTime() - begin) / 1_000_000);
  }

  /// How pods are scheduled, for those who ask what if.
  private Tree scheduler() {
    var running = components;
    return running == null ? new Tree() : running.scheduler();
  }

  /// Answers beside the scheduler; there must be one.
  LiveCluster live() {
    return Objects.requireNonNull(components).live();
  }

  /// Begins what every start needs, while the command line is still being read.
  static void prepare(boolean inMemory) {
    ApiServer.prepare();
    if (!inMemory) {
      Store.prepare();
    }
  }

  static EmbeddedCluster start(LocalCluster.Options options) {
    try {
      return new EmbeddedCluster(options, lock(options));
    } catch (UserError e) {
      throw e;
    } catch (CorruptStoreException | DamagedKeyException e) {
      throw new UserError(
          "cannot start: %s; %s"
              .formatted(e.getMessage(), MachineExaminations.advice(options.folder())));
    } catch (Exception e) {
      throw new UserError("cannot start: " + e.getMessage());
    }
  }

  private static RunFolder lock(LocalCluster.Options options) throws IOException {
    return options.inMemory()
        ? RunFolder.lock(
            options.folder(),
            "stop that cluster with 'berth down --in-memory', or set BERTH_HOME to another folder"
                + " for a second one in memory")
        : RunFolder.lock(options.folder());
  }

  private static List<ContainerLogs.Line> logs(Tree pod, String container, Instant now) {
    return Logs.of(pod, container, now).stream()
        .map(line -> new ContainerLogs.Line(line.time(), line.text()))
        .toList();
  }

  private static AdmissionChain admission(
      LocalCluster.AdmissionOptions options, Unreachable skipped) {
    try {
      return AdmissionChain.of(
          options.enabledPlugins(),
          options.disabledPlugins(),
          options.skipsUnreachable() ? skipped : Unreachable.FAILS);
    } catch (IllegalArgumentException e) {
      throw UserError.usage(String.valueOf(e.getMessage()));
    }
  }

  private Store open(LocalCluster.Options options) {
    var settings = Settings.of(new Codec(Json::write, Json::readLenient));
    if (options.inMemory()) {
      return Store.inMemory(settings);
    }
    var opened = Store.open(options.folder().resolve("store"), settings);
    notes.addAll(opened.report().notes());
    return opened.store();
  }

  private static int listen(ApiServer server, LocalCluster.Options options) throws Exception {
    var hosts = hosts(options.address());
    try {
      return server.listen(options.address(), options.port().number(), hosts);
    } catch (Exception e) {
      if (!isTaken(e)) {
        throw new UserError(
            "cannot listen on %s, port %d: %s; choose others with --address and --port"
                .formatted(options.address(), options.port().number(), reason(e)));
      }
      if (options.port().isNamed()) {
        throw options.port().taken(options.address());
      }
      return server.listen(options.address(), 0, hosts);
    }
  }

  /// Starts the workload layer; where its API is.
  private String workloads(
      ApiServer server,
      LiveCluster live,
      Authority authority,
      LocalCluster.Options options,
      WorkloadDoor door)
      throws Exception {
    var cluster = new InProcessCluster(server.registry(), WORKLOADS, InstantSource.system());
    var layer =
        new WorkloadLayer(
            cluster,
            live,
            authority,
            options.folder(),
            options.address(),
            options.workloadsPort(),
            hosts(options.address()),
            server.memory(),
            options.inMemory()
                ? null
                : new WorkloadAudit(options.folder().resolve(WorkloadLayer.AUDIT)));
    parts.add(layer);
    renewals.add(layer::renew);
    door.open(layer.door());
    return "https://%s:%d".formatted(host(options.address()), layer.port());
  }

  /// Whether this says that somebody else listens there.
  static boolean isTaken(Exception e) {
    return cause(e) instanceof BindException && reason(e).contains("in use");
  }

  private static String reason(Exception e) {
    return cause(e) instanceof UnresolvedAddressException
        ? "no such host"
        : String.valueOf(cause(e).getMessage());
  }

  private static Throwable cause(Exception e) {
    return e.getCause() == null ? e : e.getCause();
  }

  /// The names under which clients may reach the server; its certificate is good for these.
  static List<String> hosts(String address) {
    var hosts =
        new LinkedHashSet<>(
            List.of(
                "localhost",
                "127.0.0.1",
                "::1",
                "kubernetes",
                "kubernetes.default",
                "kubernetes.default.svc",
                "kubernetes.default.svc.cluster.local",
                "10.96.0.1"));
    hosts.add(address);
    try {
      hosts.add(InetAddress.getLocalHost().getHostName());
    } catch (UnknownHostException e) {
      // A machine whose own name nobody resolves is not reached by that name.
    }
    return List.copyOf(hosts);
  }

  /// Where the kubeconfig points when the server listens everywhere.
  static String host(String address) {
    if (address.equals("0.0.0.0") || address.equals("::")) {
      return "127.0.0.1";
    }
    return address.contains(":") ? "[" + address + "]" : address;
  }

  static Path home() {
    var home = System.getenv("BERTH_HOME");
    return home == null || home.isEmpty()
        ? Path.of(userHome(), ".berth")
        : Path.of(home).toAbsolutePath();
  }

  /// What shells mean by `~`; Java asks the operating system instead.
  private static String userHome() {
    var home = System.getenv("HOME");
    return home == null || home.isEmpty() ? System.getProperty("user.home") : home;
  }

  @Override
  public Tree facts() {
    return facts;
  }

  @Override
  public void awaitStop() throws InterruptedException {
    Interruption.stopsBy(stop::countDown);
    stop.await();
  }

  @Override
  public void close() {
    for (var part : parts.reversed()) {
      try {
        part.close();
      } catch (Exception e) {
        throw new IllegalStateException("a part of the cluster did not stop", e);
      }
    }
  }
}
