package io.berth.cli;

import java.nio.file.Path;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/// Which cluster a command talks to: the one of `--kubeconfig`, or what runs in the data folder.
final class RunningCluster {

  private RunningCluster() {}

  static void addOptions(CommandSpec spec) {
    Up.addFolderOptions(spec);
    spec.addOption(
        OptionSpec.builder("--kubeconfig")
            .paramLabel("FILE")
            .type(String.class)
            .description("Another cluster than the one in the data folder.")
            .build());
  }

  static Path kubeconfig(ParseResult line, LocalCluster clusters) {
    String given = line.matchedOptionValue("--kubeconfig", "");
    if (!given.isEmpty()) {
      return Path.of(given).toAbsolutePath();
    }
    var facts = clusters.find(Up.folder(line, clusters));
    if (facts == null && !line.hasMatchedOption("--data")) {
      // Whoever named no folder means whatever runs on this machine.
      facts = clusters.find(clusters.defaultFolder(!line.hasMatchedOption("--in-memory")));
    }
    if (facts == null) {
      throw new UserError(
          "nothing runs in %s; start a cluster with 'berth up', or name one with --kubeconfig"
              .formatted(Up.folder(line, clusters)));
    }
    return Path.of(facts.textOrEmpty("kubeconfig"));
  }
}
