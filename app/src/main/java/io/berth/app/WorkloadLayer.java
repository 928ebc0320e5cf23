package io.berth.app;

import io.berth.answers.live.LiveCluster;
import io.berth.api.Tree;
import io.berth.cli.Port;
import io.berth.cli.UserError;
import io.berth.cluster.Cluster;
import io.berth.codec.Json;
import io.berth.codec.SyntaxException;
import io.berth.server.Limits;
import io.berth.server.budget.Budget;
import io.berth.server.budget.Memory;
import io.berth.server.http.Call;
import io.berth.server.http.HttpFront;
import io.berth.server.identity.Authority;
import io.berth.workloads.AuditSink;
import io.berth.workloads.Workloads;
import io.berth.workloads.door.Door;
import io.berth.workloads.http.Answer;
import io.berth.workloads.http.Request;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The workload API on a listener of its own, and the administrator's credentials in a file.
///
/// The listener is there at once; requests wait until the layer has installed its definitions and
/// knows the cluster, so that a cluster is not ready later for having it.
final class WorkloadLayer implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(WorkloadLayer.class);
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  static final String CREDENTIALS = "credentials.json";
  private static final String EARLIER = "credentials.earlier.json";

  /// The audit log's name in the data folder.
  static final String AUDIT = "workloads-audit.log";

  private final CompletableFuture<Workloads> workloads = new CompletableFuture<>();
  private final @Nullable WorkloadAudit audit;
  private final Budget reads = new Budget(Limits.READS);
  private final Budget writes = new Budget(Limits.WRITES);
  private final Authority authority;
  private final List<String> hosts;
  private final HttpFront front;
  private final Thread starter;

  WorkloadLayer(
      Cluster cluster,
      LiveCluster live,
      Authority authority,
      Path folder,
      String address,
      Port port,
      List<String> hosts,
      Memory memory,
      @Nullable WorkloadAudit audit)
      throws Exception {
    this.audit = audit;
    this.authority = authority;
    this.hosts = hosts;
    var identity = authority.server(hosts);
    this.front =
        listen(
            address,
            port,
            chosen ->
                HttpFront.start(
                    address,
                    chosen,
                    identity.certificate(),
                    identity.key(),
                    authority.certificate(),
                    call -> answer(workloads.join().answer(request(call))),
                    memory));
    var known = known(folder);
    Files.writeString(folder.resolve("ca.crt"), authority.certificatePem());
    this.starter =
        Thread.ofVirtual().name("workloads-start").start(() -> start(cluster, live, folder, known));
  }

  private void start(
      Cluster cluster, LiveCluster live, Path folder, Workloads.@Nullable Credentials known) {
    try {
      var started =
          audit == null
              ? Workloads.start(cluster, live, InstantSource.system(), AuditSink.NONE)
              : Workloads.start(cluster, live, InstantSource.system(), audit.earlier(), audit);
      writeCredentials(folder, started.administrator(known));
      if (!workloads.complete(started)) {
        started.close();
      }
    } catch (InterruptedException e) {
      workloads.completeExceptionally(e);
    } catch (IOException | RuntimeException e) {
      // Who is stopped while starting finds everything closed.
      if (workloads.completeExceptionally(e)) {
        log.error("the workload API did not start", e);
      }
    }
  }

  /// Returns when requests are answered and credentials are written; throws what kept it from that.
  void awaitStarted() {
    try {
      workloads.join();
    } catch (CompletionException e) {
      throw new UserError(
          "the workload API did not start: "
              + (e.getCause() == null ? e : e.getCause()).getMessage());
    }
  }

  /// Where what others write to its kinds is judged.
  CompletableFuture<Door> door() {
    return workloads.thenApply(Workloads::door);
  }

  /// Shows a new certificate from now on, before the one from the start ends.
  void renew() {
    var identity = authority.server(hosts);
    front.renew(identity.certificate(), identity.key());
  }

  int port() {
    return front.port();
  }

  private interface Listening {
    HttpFront on(int port) throws Exception;
  }

  private static HttpFront listen(String address, Port port, Listening listening) throws Exception {
    try {
      return listening.on(port.number());
    } catch (Exception e) {
      if (!EmbeddedCluster.isTaken(e)) {
        throw e;
      }
      if (port.isNamed()) {
        throw port.taken(address);
      }
      return listening.on(0);
    }
  }

  private Request request(Call call) {
    return new Request(
        call.method(),
        call.path(),
        call.query().parameters(),
        call.headers(),
        call.remoteAddress(),
        call.body()::read,
        new WorkloadSender(call, reads, writes));
  }

  private static io.berth.server.http.Answer answer(Answer answer) {
    var headers = List.copyOf(answer.headers().entrySet());
    return switch (answer) {
      case Answer.Whole whole ->
          new io.berth.server.http.Answer.Whole(whole.code(), headers, whole.body());
      case Answer.Stream stream ->
          new io.berth.server.http.Answer.Stream(
              stream.code(),
              headers,
              outlet ->
                  stream
                      .feed()
                      .writeTo(
                          new Answer.Outlet() {
                            @Override
                            public void send(byte[] bytes) throws IOException {
                              outlet.send(bytes);
                            }

                            @Override
                            public void onClose(Runnable action) {
                              outlet.onClose(action);
                            }
                          }));
    };
  }

  /// What an earlier run gave out. Until it is known to be right it stands aside, and stays there
  /// if this run ends before.
  private static Workloads.@Nullable Credentials known(Path folder) throws IOException {
    var file = folder.resolve(CREDENTIALS);
    var earlier = folder.resolve(EARLIER);
    if (Files.exists(file)) {
      Files.move(file, earlier, StandardCopyOption.REPLACE_EXISTING);
    }
    if (!Files.exists(earlier)) {
      return null;
    }
    try {
      var read = Json.read(Files.readAllBytes(earlier));
      return new Workloads.Credentials(
          read.textOrEmpty("clientId"), read.textOrEmpty("clientSecret"));
    } catch (SyntaxException e) {
      log.warn("{} is damaged; the administrator gets a new secret", file);
      return null;
    }
  }

  private static void writeCredentials(Path folder, Workloads.Credentials credentials)
      throws IOException {
    Authority.writePrivate(
        folder.resolve(CREDENTIALS),
        Json.pretty(
                Tree.of(
                    "clientId", credentials.clientId(), "clientSecret", credentials.clientSecret()))
            + "\n");
    Files.deleteIfExists(folder.resolve(EARLIER));
  }

  @Override
  public void close() {
    front.close();
    if (workloads.cancel(false)) {
      starter.interrupt();
      awaitEnd(starter);
    } else if (!workloads.isCompletedExceptionally()) {
      workloads.join().close();
    }
    if (audit != null) {
      audit.close();
    }
  }

  // It writes into the folder, which is somebody else's after the end.
  private static void awaitEnd(Thread thread) {
    try {
      if (!thread.join(PATIENCE)) {
        log.warn("the workload API is still starting, and is left behind");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
