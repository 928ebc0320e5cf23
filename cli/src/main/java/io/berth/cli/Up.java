package io.berth.cli;

import static io.berth.cli.Options.flag;
import static io.berth.cli.Options.text;

import io.berth.api.FeatureGates;
import io.berth.api.Tree;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/// `berth up`: a whole Kubernetes API on this machine, until Ctrl-C or `berth down`.
public final class Up implements Command {

  private static final int DEFAULT_PORT = 6443;
  private static final int DEFAULT_WORKLOADS_PORT = 8443;
  private static final int MAX_NODES = 100_000;

  private final LocalCluster clusters;

  public Up(LocalCluster clusters) {
    this.clusters = clusters;
  }

  @Override
  public CommandSpec spec() {
    var spec = CommandSpec.create().name("up");
    spec.addOption(text("--data", "DIR", "The data folder (default: ~/.berth/data)."));
    spec.addOption(flag("--in-memory", "Keep everything in memory, and forget it at the end."));
    spec.addOption(text("--address", "ADDRESS", "Where to listen (default: 127.0.0.1)."));
    spec.addOption(
        text("--port", "PORT", "The port (default: 6443, or any free one when that is taken)."));
    spec.addOption(
        text(
            "--workloads-port",
            "PORT",
            "The port of the workload API (default: 8443, or any free one when that is taken)."));
    spec.addOption(
        text(
            "--kubeconfig",
            "FILE",
            "Where to write the kubeconfig (default: in the data folder)."));
    spec.addOption(flag("--detach", "Run in the background."));
    spec.addOption(
        flag("--api-only", "Only the API: no scheduler, controllers or simulated nodes."));
    spec.addOption(
        flag(
            "--bare",
            "No default StorageClass, no IngressClass, no simulated volumes, no addresses for load"
                + " balancers."));
    spec.addOption(
        text(
            "--nodes",
            "N",
            "How many simulated nodes a new cluster has (default: five, and one with a GPU)."));
    spec.addOption(
        text("--fleet", "FILE", "NodeFleet objects in YAML: nodes to create in addition."));
    spec.addOption(
        text(
            "--jobs-run-for",
            "SECONDS",
            "How long simulated pods of Jobs run before they succeed (default: 10)."));
    spec.addOption(
        text(
            "--scheduler-config",
            "FILE",
            "A KubeSchedulerConfiguration; changes of the file are taken up."));
    spec.addOption(
        text("--journal", "DIR", "Record decisions in files that 'berth replay' decides again."));
    spec.addOption(RuleJars.option());
    spec.addOption(
        text("--enable-admission-plugins", "NAMES", "Admission plugins to add, comma-separated."));
    spec.addOption(
        text(
            "--disable-admission-plugins",
            "NAMES",
            "Admission plugins to leave out, comma-separated."));
    spec.addOption(
        text(
            "--unreachable-webhooks",
            "fail|skip",
            "What to do when nobody answers for an admission webhook: fail as Kubernetes does"
                + " (default), or go on with a warning."));
    spec.addOption(
        text(
            "--token-auth-file",
            "FILE",
            "Bearer tokens that are let in, as kube-apiserver's file of this name."));
    spec.addOption(
        text(
            "--tls-cert-file",
            "FILE",
            "The certificate of the server (PEM), instead of one of the cluster's own authority."));
    spec.addOption(text("--tls-private-key-file", "FILE", "The key of that certificate (PEM)."));
    spec.addOption(
        text(
            "--client-ca-file",
            "FILE",
            "Authorities (PEM) whose client certificates are let in beside the cluster's own."));
    spec.addOption(
        text(
            "--feature-gates",
            "NAME=true|false",
            "Features that are off in Kubernetes, comma-separated: GenericWorkload serves pod"
                + " groups."));
    spec.usageMessage()
        .description("Start a Kubernetes cluster on this machine.")
        .footer(
            "",
            "Examples:",
            "  berth up",
            "  berth up --in-memory --port 7443",
            "  berth up --data ./cluster --detach");
    return spec;
  }

  @Override
  public int run(ParseResult line, Terminal terminal) throws Exception {
    var options = options(line);
    if (line.hasMatchedOption("--detach")) {
      announce(clusters.startDetached(options), options, terminal);
      return 0;
    }
    try (var running = clusters.start(options)) {
      announce(running.facts(), options, terminal);
      running.awaitStop();
      terminal.note("Stopping.");
    }
    return 0;
  }

  private LocalCluster.Options options(ParseResult line) {
    var folder = folder(line, clusters);
    String port = line.matchedOptionValue("--port", "");
    String kubeconfig = line.matchedOptionValue("--kubeconfig", "");
    return new LocalCluster.Options(
        folder,
        line.hasMatchedOption("--in-memory"),
        line.matchedOptionValue("--address", "127.0.0.1"),
        Port.of("--port", port, DEFAULT_PORT),
        kubeconfig.isEmpty()
            ? folder.resolve("kubeconfig")
            : Path.of(kubeconfig).toAbsolutePath().normalize(),
        line.hasMatchedOption("--api-only"),
        simulation(line),
        scheduler(line),
        admission(line),
        workloadsPort(line, port),
        credentials(line),
        gates(line.matchedOptionValue("--feature-gates", "")));
  }

  private static LocalCluster.AdmissionOptions admission(ParseResult line) {
    String unreachable = line.matchedOptionValue("--unreachable-webhooks", "fail");
    if (!unreachable.equals("fail") && !unreachable.equals("skip")) {
      throw UserError.usage(
          "'%s' is no way with unreachable webhooks; use fail or skip".formatted(unreachable));
    }
    return new LocalCluster.AdmissionOptions(
        names(line.matchedOptionValue("--enable-admission-plugins", "")),
        names(line.matchedOptionValue("--disable-admission-plugins", "")),
        unreachable.equals("skip"));
  }

  private static LocalCluster.CredentialFiles credentials(ParseResult line) {
    var files =
        new LocalCluster.CredentialFiles(
            file(line, "--token-auth-file"),
            file(line, "--tls-cert-file"),
            file(line, "--tls-private-key-file"),
            file(line, "--client-ca-file"));
    if ((files.certificate() == null) != (files.key() == null)) {
      throw UserError.usage("--tls-cert-file and --tls-private-key-file go together; give both");
    }
    return files;
  }

  private static @Nullable Path file(ParseResult line, String option) {
    String name = line.matchedOptionValue(option, "");
    return name.isEmpty() ? null : Path.of(name).toAbsolutePath().normalize();
  }

  private static FeatureGates gates(String text) {
    try {
      return FeatureGates.parse(text);
    } catch (IllegalArgumentException e) {
      throw UserError.usage(
          "invalid argument \"%s\" for \"--feature-gates\" flag: %s; there is %s"
              .formatted(text, e.getMessage(), String.join(", ", FeatureGates.ALL.on())));
    }
  }

  // Whoever lets the system choose one port wants both chosen.
  private static Port workloadsPort(ParseResult line, String port) {
    var text = line.matchedOptionValue("--workloads-port", "");
    return Port.of("--workloads-port", text, port.equals("0") ? 0 : DEFAULT_WORKLOADS_PORT);
  }

  private static SchedulerSettings scheduler(ParseResult line) {
    String file = line.matchedOptionValue("--scheduler-config", "");
    return SchedulerSettings.of(
            file.isEmpty() ? null : Path.of(file).toAbsolutePath().normalize(),
            UnaryOperator.identity(),
            RuleJars.of(line))
        .recordedIn(Options.path(line.matchedOptionValue("--journal", "")));
  }

  static Path folder(ParseResult line, LocalCluster clusters) {
    String data = line.matchedOptionValue("--data", "");
    boolean inMemory = line.hasMatchedOption("--in-memory");
    if (!data.isEmpty() && inMemory) {
      throw UserError.usage("--data and --in-memory exclude each other; give one of them");
    }
    return data.isEmpty()
        ? clusters.defaultFolder(inMemory)
        : Path.of(data).toAbsolutePath().normalize();
  }

  private static LocalCluster.Simulation simulation(ParseResult line) {
    String fleet = line.matchedOptionValue("--fleet", "");
    int nodes = nodes(line.matchedOptionValue("--nodes", ""));
    return new LocalCluster.Simulation(
        nodes < 0 && !fleet.isEmpty() ? 0 : nodes,
        fleet.isEmpty() ? null : Path.of(fleet).toAbsolutePath().normalize(),
        seconds(line.matchedOptionValue("--jobs-run-for", "")),
        line.hasMatchedOption("--bare"));
  }

  private static int seconds(String text) {
    if (text.isEmpty()) {
      return LocalCluster.Simulation.DEFAULT.jobsRunForSeconds();
    }
    if (!text.matches("\\d{1,6}")) {
      throw UserError.usage("'%s' is no number of seconds; use 0 to 999999".formatted(text));
    }
    return Integer.parseInt(text);
  }

  private static int nodes(String text) {
    if (text.isEmpty()) {
      return -1;
    }
    try {
      int nodes = Integer.parseInt(text);
      if (nodes >= 0 && nodes <= MAX_NODES) {
        return nodes;
      }
    } catch (NumberFormatException e) {
      // Falls through to the refusal.
    }
    throw UserError.usage("'%s' is no number of nodes; use 0 to %d".formatted(text, MAX_NODES));
  }

  private static List<String> names(String list) {
    var names = new ArrayList<String>();
    for (var name : list.split(",", -1)) {
      if (!name.isBlank()) {
        names.add(name.strip());
      }
    }
    return names;
  }

  private static void announce(Tree facts, LocalCluster.Options options, Terminal terminal) {
    if (terminal.document(facts)) {
      terminal.out().flush();
      return;
    }
    long port = facts.number(0, "port");
    if (!options.port().isNamed() && port != options.port().number()) {
      terminal.line("Port %d is taken; using %d.".formatted(options.port().number(), port));
    }
    terminal.line(
        "Kubernetes %s on %s, ready in %s s."
            .formatted(
                BerthVersion.KUBERNETES,
                facts.textOrEmpty("server"),
                seconds(facts.number(0, "readyMillis"))));
    if (facts.text("workloads") != null) {
      terminal.line(
          "Workload API on %s; 'berth credentials' prints how to log in."
              .formatted(facts.textOrEmpty("workloads")));
    }
    terminal.line(
        "Console on %s; 'berth console --open' signs you in."
            .formatted(facts.textOrEmpty("console")));
    terminal.line("Data: %s".formatted(facts.textOrEmpty("data")));
    for (var note : facts.list("notes")) {
      terminal.line("Note: %s".formatted(note));
    }
    terminal.line("Runs: %s".formatted(facts.textOrEmpty("components")));
    terminal.line("");
    terminal.line(
        terminal.strong("  export KUBECONFIG=%s".formatted(facts.textOrEmpty("kubeconfig"))));
    terminal.line(terminal.strong("  kubectl get nodes"));
    terminal.out().flush();
  }

  private static String seconds(long millis) {
    return String.format(Locale.ROOT, "%.2f", millis / 1000.0);
  }
}
