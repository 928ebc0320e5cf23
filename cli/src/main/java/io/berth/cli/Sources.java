package io.berth.cli;

import static io.berth.cli.Options.path;
import static io.berth.cli.Options.text;

import io.berth.answers.source.Manifest;
import io.berth.answers.source.ManifestException;
import io.berth.answers.source.ManifestReader;
import io.berth.answers.source.Survey;
import io.berth.api.Tree;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/// Where commands that answer questions take the cluster from: the same options for all of them.
///
/// Files lie over the cluster of the other source; alone they are the cluster. Without any source
/// it is that of `$KUBECONFIG`, else what `berth up` runs here, else that of `~/.kube/config`.
public final class Sources {

  private static final List<String> CLUSTERS =
      List.of("--kubeconfig", "--data", "--snapshot", "--fleet", "--journal");

  private final Surveys surveys;
  private final LocalCluster clusters;
  private final Map<String, String> environment;
  private final InputStream in;
  private @Nullable String standardInput;

  public Sources(
      Surveys surveys, LocalCluster clusters, Map<String, String> environment, InputStream in) {
    this.surveys = surveys;
    this.clusters = clusters;
    this.environment = Map.copyOf(environment);
    this.in = in;
  }

  static void addOptions(CommandSpec spec) {
    spec.addOption(
        OptionSpec.builder("-f", "--filename")
            .paramLabel("FILE|DIR|-")
            .type(List.class)
            .auxiliaryTypes(String.class)
            .description(
                "Manifests, charts as rendered, or what 'kubectl get -o yaml|json' prints. They lie"
                    + " over the cluster of another source; alone they are the cluster.")
            .build());
    spec.addOption(
        OptionSpec.builder("-n", "--namespace")
            .paramLabel("NAMESPACE")
            .type(String.class)
            .description("Of objects that name none (default: default).")
            .build());
    spec.addOption(text("--kubeconfig", "FILE", "A running cluster; get and list suffice."));
    spec.addOption(text("--context", "NAME", "The context (default: the current one)."));
    spec.addOption(text("--data", "DIR", "The cluster of a data folder, also a stopped one."));
    spec.addOption(text("--snapshot", "FILE", "What 'berth snapshot save' wrote."));
    spec.addOption(text("--fleet", "FILE", "The nodes that 'berth up --fleet' would make."));
    spec.addOption(text("--journal", "FILE|DIR", "What a scheduler recorded, with --at."));
    spec.addOption(
        text("--at", "N", "The cluster as of this decision of the journal (default: the last)."));
    spec.addOption(
        text(
            "--scheduler-config",
            "FILE",
            "A KubeSchedulerConfiguration (default: that of the cluster, if it tells)."));
    spec.addOption(RuleJars.option());
  }

  /// The cluster that the line means, with its files laid over it.
  Survey survey(ParseResult line) {
    var found = found(line);
    return reading(() -> {
      var manifests = new ArrayList<>(found.manifests());
      manifests.addAll(files(line));
      return Survey.of(manifests, settings(line, found), found.unread());
    });
  }

  /// What stands in the files of the line.
  List<Manifest> files(ParseResult line) {
    return reading(() -> {
      var manifests = new ArrayList<Manifest>();
      for (var name : line.matchedOptionValue("--filename", List.<String>of())) {
        manifests.addAll(
            name.equals("-")
                ? ManifestReader.read("-", textOf("-"))
                : ManifestReader.read(Path.of(name)));
      }
      return manifests;
    });
  }

  /// What a file of the line says, by the name that its origin gives it.
  String textOf(String file) {
    if (!file.equals("-")) {
      return reading(() -> Files.readString(Path.of(file)));
    }
    if (standardInput == null) {
      standardInput =
          reading(() -> new String(in.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8));
    }
    return standardInput;
  }

  private Survey.Settings settings(ParseResult line, Surveys.Found found) {
    var rules = RuleJars.of(line);
    var file = path(line.matchedOptionValue("--scheduler-config", ""));
    var configuration =
        file == null && found.configuration() != null
            ? found.configuration()
            : SchedulerSettings.of(file, UnaryOperator.identity(), rules).configuration();
    return new Survey.Settings(
        namespace(line),
        found.revision(),
        configuration,
        rules,
        found.seed(),
        surveys::withDefaults);
  }

  /// The kubeconfig of the running cluster that the line means, for who changes it. Another source
  /// is a [UserError].
  Path runningCluster(ParseResult line) {
    var given = CLUSTERS.stream().filter(line::hasMatchedOption).toList();
    boolean context = !line.matchedOptionValue("--context", "").isEmpty();
    if (line.hasMatchedOption("--filename") || context || given.size() > 1) {
      throw UserError.usage("--apply is for one running cluster: --kubeconfig or --data, alone");
    }
    if (given.isEmpty()) {
      return usual();
    }
    var value = Path.of(line.matchedOptionValue(given.getFirst(), "")).toAbsolutePath().normalize();
    var facts = given.getFirst().equals("--data") ? clusters.find(value) : null;
    if (facts != null) {
      return Path.of(facts.textOrEmpty("kubeconfig"));
    }
    if (given.getFirst().equals("--kubeconfig")) {
      return value;
    }
    throw UserError.usage("%s names no running cluster".formatted(given.getFirst()));
  }

  /// The nodes of a NodeFleet.
  List<Tree> fleet(Tree fleet) {
    return surveys.nodesOf(fleet);
  }

  static String namespace(ParseResult line) {
    return line.matchedOptionValue("--namespace", "default");
  }

  private Surveys.Found found(ParseResult line) {
    var given = CLUSTERS.stream().filter(line::hasMatchedOption).toList();
    if (given.size() > 1) {
      throw UserError.usage(
          "%s and %s exclude each other; name one cluster".formatted(given.get(0), given.get(1)));
    }
    var context = line.matchedOptionValue("--context", "");
    if (given.isEmpty()) {
      boolean alone = line.hasMatchedOption("--filename") && context.isEmpty();
      return alone ? Surveys.Found.NOTHING : surveys.ofCluster(usual(), context);
    }
    var value = Path.of(line.matchedOptionValue(given.getFirst(), "")).toAbsolutePath();
    return switch (given.getFirst()) {
      case "--kubeconfig" -> surveys.ofCluster(value, context);
      case "--data" -> ofFolder(value.normalize());
      case "--snapshot" -> surveys.ofSnapshot(value);
      case "--journal" -> JournalSurvey.read(value, line.matchedOptionValue("--at", ""));
      default -> surveys.ofFleet(value);
    };
  }

  private Surveys.Found ofFolder(Path folder) {
    var facts = clusters.find(folder);
    return facts == null
        ? surveys.ofStopped(folder)
        : surveys.ofCluster(Path.of(facts.textOrEmpty("kubeconfig")), "");
  }

  /// The cluster of who names none.
  private Path usual() {
    var variable = environment.getOrDefault("KUBECONFIG", "");
    for (var file : variable.split(File.pathSeparator, -1)) {
      if (!file.isEmpty()) {
        return Path.of(file);
      }
    }
    for (boolean inMemory : new boolean[] {false, true}) {
      var facts = clusters.find(clusters.defaultFolder(inMemory));
      if (facts != null) {
        return Path.of(facts.textOrEmpty("kubeconfig"));
      }
    }
    var home = Path.of(environment.getOrDefault("HOME", "."), ".kube", "config");
    if (Files.exists(home)) {
      return home;
    }
    throw UserError.usage(
        "no cluster: give files with -f, or a cluster with --kubeconfig, --data, --snapshot,"
            + " --fleet or --journal, or start one with 'berth up'");
  }

  private interface Reading<T> {
    T read() throws IOException;
  }

  private static <T> T reading(Reading<T> reading) {
    try {
      return reading.read();
    } catch (ManifestException e) {
      throw UserError.usage(String.valueOf(e.getMessage()));
    } catch (IOException e) {
      throw UserError.usage("standard input cannot be read: " + e.getMessage());
    }
  }

  /// Whether the manifest is of a file of this line.
  static boolean isOfFile(Manifest manifest) {
    return !manifest.origin().isCluster();
  }
}
