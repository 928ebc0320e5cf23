package io.berth.cli;

import java.nio.file.Path;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/// Which cluster a command talks to: the one of `--kubeconfig`, or what runs in the data folder.
final class RunningCluster {

  private RunningCluster() {}

  static void addOptions(CommandSpec spec) {
    Options.addFolder(spec);
    spec.addOption(
        Options.text("--kubeconfig", "FILE", "Another cluster than the one in the data folder."));
  }

  static Path kubeconfig(ParseResult line, LocalCluster clusters) {
    String given = line.matchedOptionValue("--kubeconfig", "");
    if (!given.isEmpty()) {
      return Path.of(given).toAbsolutePath().normalize();
    }
    var folder = folder(line, clusters);
    var facts = clusters.find(folder);
    if (facts == null) {
      throw new UserError(
          "nothing runs in %s; start a cluster with 'berth up', or name one with --kubeconfig"
              .formatted(folder));
    }
    return Path.of(facts.textOrEmpty("kubeconfig"));
  }

  /// The folder of the cluster that is meant. Whoever names none means whatever runs on this
  /// machine.
  static Path folder(ParseResult line, LocalCluster clusters) {
    var folder = Up.folder(line, clusters);
    if (line.hasMatchedOption("--data")
        || line.hasMatchedOption("--in-memory")
        || clusters.find(folder) != null) {
      return folder;
    }
    var inMemory = clusters.defaultFolder(true);
    return clusters.find(inMemory) == null ? folder : inMemory;
  }
}
