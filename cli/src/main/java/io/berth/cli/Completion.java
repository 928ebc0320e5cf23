package io.berth.cli;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/// `berth completion bash|zsh|fish`: a script for the shell to source.
public final class Completion implements Command {

  private final Supplier<CommandLine> grammar;

  public Completion(Supplier<CommandLine> grammar) {
    this.grammar = grammar;
  }

  @Override
  public CommandSpec spec() {
    var spec = CommandSpec.create().name("completion");
    spec.addPositional(
        Options.operand("bash|zsh|fish", "The shell.").toBuilder()
            .completionCandidates(List.of("bash", "zsh", "fish"))
            .build());
    spec.usageMessage()
        .description("Print a completion script for a shell.")
        .footer(
            "",
            "Examples:",
            "  source <(berth completion bash)",
            "  source <(berth completion zsh)",
            "  berth completion fish | source");
    return spec;
  }

  @Override
  public int run(ParseResult line, Terminal terminal) {
    String shell = line.matchedPositionalValue(0, "");
    terminal
        .out()
        .print(
            switch (shell) {
              // The script that picocli writes for bash serves zsh too.
              case "bash", "zsh" -> AutoComplete.bash("berth", visible());
              case "fish" -> fish(visible());
              default ->
                  throw UserError.usage(
                      "no completion for shell '%s'; use bash, zsh or fish".formatted(shell));
            });
    return 0;
  }

  /// What the packaging alone calls is not offered.
  private CommandLine visible() {
    var root = grammar.get();
    var spec = root.getCommandSpec();
    for (var entry : Map.copyOf(root.getSubcommands()).entrySet()) {
      if (entry.getValue().getCommandSpec().usageMessage().hidden()) {
        spec.removeSubcommand(entry.getKey());
      }
    }
    return root;
  }

  private static String fish(CommandLine root) {
    var script = new StringBuilder("complete -c berth -f\n");
    for (var entry : root.getSubcommands().entrySet()) {
      appendCommand(script, "__fish_use_subcommand", entry.getKey(), entry.getValue());
    }
    return script.toString();
  }

  /// A command is offered `where` its parent stands, and after it what it takes itself.
  private static void appendCommand(
      StringBuilder script, String where, String name, CommandLine command) {
    var spec = command.getCommandSpec();
    script.append(
        "complete -c berth -n '%s' -a %s -d '%s'\n"
            .formatted(where, name, quoted(spec.usageMessage().description())));
    var seen = "__fish_seen_subcommand_from " + name;
    var within = where.equals("__fish_use_subcommand") ? seen : where + "; and " + seen;
    command
        .getSubcommands()
        .forEach((subcommand, line) -> appendCommand(script, within, subcommand, line));
    if (spec.subcommands().isEmpty()) {
      appendOperands(script, within, spec);
      spec.options().forEach(option -> appendOption(script, within, option));
    }
  }

  private static void appendOperands(StringBuilder script, String when, CommandSpec spec) {
    for (var operand : spec.positionalParameters()) {
      if (isFile(operand.paramLabel())) {
        script.append("complete -c berth -n '%s' -F\n".formatted(when));
      } else if (operand.completionCandidates() != null) {
        var words = String.join(" ", operand.completionCandidates());
        script.append("complete -c berth -n '%s' -a '%s'\n".formatted(when, words));
      }
    }
  }

  private static void appendOption(StringBuilder script, String when, OptionSpec option) {
    script.append("complete -c berth -n '%s'".formatted(when));
    for (var flag : option.names()) {
      script.append(flag.startsWith("--") ? " -l " : " -s ").append(flag.replaceAll("^-+", ""));
    }
    if (option.arity().min() > 0) {
      script.append(isFile(option.paramLabel()) ? " -r -F" : " -x");
    }
    if (option.completionCandidates() != null) {
      script.append(" -a '").append(String.join(" ", option.completionCandidates())).append('\'');
    }
    script.append(" -d '").append(quoted(option.description())).append("'\n");
  }

  private static boolean isFile(String label) {
    return label.equals("FILE") || label.equals("DIR");
  }

  private static String quoted(String[] text) {
    return String.join(" ", text).replace("'", "\\'");
  }
}
