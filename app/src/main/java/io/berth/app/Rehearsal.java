package io.berth.app;

import io.berth.api.FeatureGates;
import io.berth.cli.Command;
import io.berth.cli.LocalCluster;
import io.berth.cli.Port;
import io.berth.cli.SchedulerSettings;
import io.berth.cli.Terminal;
import io.berth.cli.Version;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/// `berth rehearse`, hidden: starts a cluster, asks it a few things, schedules pods on it over
/// HTTPS, and stops it; then opens it again, and starts one in memory.
///
/// The packaging runs it once, so that the AOT cache holds the classes that `berth up` and `berth
/// scheduler` need, and knows which of their methods are worth compiling.
final class Rehearsal implements Command {

  private final LocalCluster clusters;

  Rehearsal(LocalCluster clusters) {
    this.clusters = clusters;
  }

  @Override
  public CommandSpec spec() {
    var spec = CommandSpec.create().name("rehearse");
    spec.usageMessage().hidden(true).description("Start clusters, and stop them.");
    return spec;
  }

  @Override
  public int run(ParseResult line, Terminal terminal) throws Exception {
    new Version().run(line, terminal);
    Main.cli().commandLine().parseArgs("up", "--in-memory", "--port", "0");
    var folder = Files.createTempDirectory("berth-rehearsal");
    rehearse(folder, false, false);
    rehearse(folder, false, true);
    rehearse(folder, true, true);
    return 0;
  }

  private void rehearse(Path folder, boolean inMemory, boolean apiOnly) throws Exception {
    var options =
        new LocalCluster.Options(
            folder,
            inMemory,
            "127.0.0.1",
            Port.any(),
            folder.resolve("kubeconfig"),
            apiOnly,
            LocalCluster.Simulation.DEFAULT,
            SchedulerSettings.DEFAULT,
            LocalCluster.AdmissionOptions.DEFAULT,
            Port.any(),
            LocalCluster.CredentialFiles.NONE,
            FeatureGates.DEFAULT);
    try (var running = clusters.start(options);
        var client = HttpClient.newBuilder().sslContext(trusting()).build()) {
      for (var path : List.of("/version", "/readyz", "/api/v1/nodes")) {
        ask(client, running.facts().textOrEmpty("server") + path);
      }
      if (!apiOnly) {
        new SchedulingRehearsal(options.kubeconfig()).run();
      }
    }
  }

  private static void ask(HttpClient client, String url) throws Exception {
    client.send(
        HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString());
  }

  // Nothing secret is sent, and the server is this very process.
  private static SSLContext trusting() throws Exception {
    var context = SSLContext.getInstance("TLS");
    context.init(null, new TrustManager[] {new Trusting()}, null);
    return context;
  }

  private static final class Trusting extends X509ExtendedTrustManager {

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, java.net.Socket socket) {}

    @Override
    public void checkClientTrusted(
        X509Certificate[] chain, String type, javax.net.ssl.SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, java.net.Socket socket) {}

    @Override
    public void checkServerTrusted(
        X509Certificate[] chain, String type, javax.net.ssl.SSLEngine engine) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
