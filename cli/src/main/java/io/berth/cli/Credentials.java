package io.berth.cli;

import io.berth.api.Tree;
import io.berth.codec.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/// `berth credentials [-o json]`: how to reach the workload API as its administrator.
public final class Credentials implements Command {

  private static final int ATTEMPTS = 600;
  private static final long PAUSE_MILLIS = 100;

  private final LocalCluster clusters;

  public Credentials(LocalCluster clusters) {
    this.clusters = clusters;
  }

  @Override
  public CommandSpec spec() {
    var spec = CommandSpec.create().name("credentials");
    Options.addFolder(spec);
    spec.usageMessage()
        .description(
            "Print where the workload API is, and its administrator's client id and secret.")
        .footer("", "Examples:", "  berth credentials", "  berth credentials -o json");
    return spec;
  }

  @Override
  public int run(ParseResult line, Terminal terminal) {
    var credentials = of(RunningCluster.folder(line, clusters), clusters);
    if (!terminal.document(credentials)) {
      terminal.line("export BERTH_URL=%s".formatted(credentials.text("url")));
      terminal.line("export BERTH_CLIENT_ID=%s".formatted(credentials.text("clientId")));
      terminal.line("export BERTH_CLIENT_SECRET=%s".formatted(credentials.text("clientSecret")));
      terminal.line("export BERTH_CA=%s".formatted(credentials.text("caFile")));
    }
    return 0;
  }

  /// Of the administrator of what runs in a folder.
  static Tree of(Path folder, LocalCluster clusters) {
    var facts = clusters.find(folder);
    if (facts == null) {
      throw new UserError("nothing runs in %s; start a cluster with 'berth up'".formatted(folder));
    }
    if (facts.text("workloads") == null) {
      throw new UserError("this cluster has no workload API: it was started with --api-only");
    }
    var secret = secret(folder.resolve("credentials.json"));
    return Tree.of(
        "url", facts.text("workloads"),
        "clientId", secret.text("clientId"),
        "clientSecret", secret.text("clientSecret"),
        "caFile", folder.resolve("ca.crt").toString());
  }

  // The workload layer starts in the background; right after `berth up` it may need a moment.
  private static Tree secret(Path file) {
    try {
      for (int i = 0; !Files.exists(file) && i < ATTEMPTS; i++) {
        Thread.sleep(PAUSE_MILLIS);
      }
      return Json.read(Files.readAllBytes(file));
    } catch (IOException e) {
      throw new UserError("there are no credentials yet: cannot read %s".formatted(file));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UserError("interrupted");
    }
  }
}
