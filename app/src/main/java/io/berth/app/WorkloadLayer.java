package io.berth.app;

import io.berth.api.Tree;
import io.berth.cluster.Cluster;
import io.berth.codec.Json;
import io.berth.server.http.HttpFront;
import io.berth.server.identity.Authority;
import io.berth.workloads.Workloads;
import io.berth.workloads.http.Answer;
import io.berth.workloads.http.Request;
import java.io.IOException;
import java.net.BindException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;

/// The workload API on a listener of its own, and the administrator's credentials in a file.
final class WorkloadLayer implements AutoCloseable {

  private static final String CREDENTIALS = "credentials.json";

  private final Workloads workloads;
  private final HttpFront front;

  WorkloadLayer(
      Cluster cluster,
      Authority authority,
      Path folder,
      String address,
      int port,
      List<String> hosts)
      throws Exception {
    this.workloads = Workloads.start(cluster, InstantSource.system(), _ -> {});
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
                    call -> answer(workloads.answer(request(call)))));
    writeCredentials(folder, authority);
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

  private void writeCredentials(Path folder, Authority authority) throws IOException {
    var file = folder.resolve(CREDENTIALS);
    Workloads.Credentials known = null;
    if (Files.exists(file)) {
      var read = Json.read(Files.readAllBytes(file));
      known =
          new Workloads.Credentials(read.textOrEmpty("clientId"), read.textOrEmpty("clientSecret"));
    }
    var credentials = workloads.administrator(known);
    Authority.writePrivate(
        file,
        Json.pretty(
                Tree.ofMap(
                    Map.of(
                        "clientId",
                        credentials.clientId(),
                        "clientSecret",
                        credentials.clientSecret())))
            + "\n");
    Files.writeString(folder.resolve("ca.crt"), authority.certificatePem());
  }

  @Override
  public void close() {
    front.close();
    workloads.close();
  }
}
