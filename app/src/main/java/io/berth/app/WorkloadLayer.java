package io.berth.app;

import io.berth.api.Tree;
import io.berth.cli.UserError;
import io.berth.cluster.Cluster;
import io.berth.codec.Json;
import io.berth.server.http.HttpFront;
import io.berth.server.identity.Authority;
import io.berth.workloads.Workloads;
import io.berth.workloads.door.Door;
import io.berth.workloads.http.Answer;
import io.berth.workloads.http.Request;
import java.io.IOException;
import java.net.BindException;
import java.nio.file.Files;
import java.nio.file.Path;
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
  private static final String CREDENTIALS = "credentials.json";

  /// The audit log's name in the data folder.
  static final String AUDIT = "workloads-audit.log";

  private final CompletableFuture<Workloads> workloads = new CompletableFuture<>();
  private final @Nullable WorkloadAudit audit;
  private final HttpFront front;
  private final Thread starter;

  WorkloadLayer(
      Cluster cluster,
      Authority authority,
      Path folder,
      String address,
      int port,
      List<String> hosts,
      @Nullable WorkloadAudit audit)
      throws Exception {
    this.audit = audit;
    var identity = authority.server(hosts);
    this.front =
        listen(
            port,
            chosen ->
                HttpFront.start(
                    address,
                    chosen,
                    identity.certificate(),
                    identity.key(),
                    authority.certificate(),
                    call -> answer(workloads.join().answer(request(call)))));
    var known = known(folder);
    Files.writeString(folder.resolve("ca.crt"), authority.certificatePem());
    this.starter =
        Thread.ofVirtual().name("workloads-start").start(() -> start(cluster, folder, known));
  }

  private void start(Cluster cluster, Path folder, Workloads.@Nullable Credentials known) {
    try {
      var started =
          audit == null
              ? Workloads.start(cluster, InstantSource.system(), _ -> {})
              : Workloads.start(cluster, InstantSource.system(), audit.earlier(), audit);
      if (!workloads.complete(started)) {
        started.close();
        return;
      }
      writeCredentials(folder, started.administrator(known));
    } catch (InterruptedException e) {
      workloads.completeExceptionally(e);
    } catch (IOException | RuntimeException e) {
      log.error("the workload API did not start", e);
      workloads.completeExceptionally(e);
    }
  }

  /// Returns when requests are answered; throws what kept it from that.
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

  int port() {
    return front.port();
  }

  private interface Listening {
    HttpFront on(int port) throws Exception;
  }

  /// On this port, or on any free one when it is taken.
  private static HttpFront listen(int port, Listening listening) throws Exception {
    try {
      return listening.on(port);
    } catch (Exception e) {
      if (port == 0 || !(e instanceof BindException || e.getCause() instanceof BindException)) {
        throw e;
      }
      return listening.on(0);
    }
  }

  private static Request request(io.berth.server.http.Call call) {
    return new Request(
        call.method(),
        call.path(),
        call.query().parameters(),
        call.headers(),
        call.remoteAddress(),
        call.body()::read);
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

  /// What an earlier run gave out. The file goes away until it is known to be right.
  private static Workloads.@Nullable Credentials known(Path folder) throws IOException {
    var file = folder.resolve(CREDENTIALS);
    if (!Files.exists(file)) {
      return null;
    }
    var read = Json.read(Files.readAllBytes(file));
    Files.delete(file);
    return new Workloads.Credentials(
        read.textOrEmpty("clientId"), read.textOrEmpty("clientSecret"));
  }

  private static void writeCredentials(Path folder, Workloads.Credentials credentials)
      throws IOException {
    Authority.writePrivate(
        folder.resolve(CREDENTIALS),
        Json.pretty(
                Tree.of(
                    "clientId", credentials.clientId(), "clientSecret", credentials.clientSecret()))
            + "\n");
  }

  @Override
  public void close() {
    front.close();
    if (workloads.cancel(false)) {
      starter.interrupt();
    } else if (!workloads.isCompletedExceptionally()) {
      workloads.join().close();
    }
    if (audit != null) {
      audit.close();
    }
  }
}
