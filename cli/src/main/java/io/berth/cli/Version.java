package io.berth.cli;

import io.berth.api.Tree;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/// `berth version [-o json]`: which Berth this is, which Kubernetes it speaks, which Java runs it.
public final class Version implements Command {

  @Override
  public CommandSpec spec() {
    var spec = CommandSpec.create().name("version");
    spec.usageMessage()
        .description("Print which Berth this is, and which Kubernetes it speaks.")
        .footer("", "Examples:", "  berth version", "  berth version -o json");
    return spec;
  }

  @Override
  public int run(ParseResult line, Terminal terminal) {
    var version =
        Tree.of(
            "version", BerthVersion.current(),
            "kubernetes", BerthVersion.KUBERNETES,
            "java", Runtime.version().toString());
    if (!terminal.document(version)) {
      terminal.line("berth " + BerthVersion.current());
      terminal.line("speaks Kubernetes " + BerthVersion.KUBERNETES);
    }
    return 0;
  }
}
