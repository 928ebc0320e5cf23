package io.berth.cli;

import io.berth.api.Tree;
import io.berth.codec.Json;
import java.io.IOException;
import java.nio.file.Files;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/// `berth credentials [-o json]`: how to reach the workload API as its administrator.
public final class Credentials implements Command {

  private final LocalCluster clusters;

  public Credentials(LocalCluster clusters) {
    this.clusters = clusters;
  }

  @Override
  public CommandSpec spec() {
    var spec = CommandSpec.create().name("credentials");
    Up.addFolderOptions(spec);
    spec.usageMessage()
        .description(
            "Print where the workload API is, and its administrator's client id and secret.")
        .footer("", "Examples:", "  berth credentials", "  berth credentials -o json");
    return spec;
  }

  @Override
  public int run(ParseResult line, Terminal terminal) {
    var folder = Up.folder(line, clusters);
    var facts = clusters.find(folder);
    if (facts == null) {
      throw new UserError("nothing runs in %s; start a cluster with 'berth up'".formatted(folder));
    }
    if (facts.text("workloads") == null) {
      throw new UserError("this cluster has no workload API: it was started with --api-only");
    }
    Tree secret;
    try {
      secret = Json.read(Files.readAllBytes(folder.resolve("credentials.json")));
    } catch (IOException e) {
      throw new UserError("cannot read the credentials: " + e.getMessage());
    }
    var credentials =
        Tree.of(
            "url", facts.text("workloads"),
            "clientId", secret.text("clientId"),
            "clientSecret", secret.text("clientSecret"),
            "caFile", folder.resolve("ca.crt").toString());
    if (!terminal.document(credentials)) {
      terminal.line("export BERTH_URL=%s".formatted(credentials.text("url")));
      terminal.line("export BERTH_CLIENT_ID=%s".formatted(credentials.text("clientId")));
      terminal.line("export BERTH_CLIENT_SECRET=%s".formatted(credentials.text("clientSecret")));
      terminal.line("export BERTH_CA=%s".formatted(credentials.text("caFile")));
    }
    return 0;
  }
}
