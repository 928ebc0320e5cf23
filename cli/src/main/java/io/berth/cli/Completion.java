package io.berth.cli;

import java.util.List;
import java.util.function.Supplier;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
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
        PositionalParamSpec.builder()
            .index("0")
            .paramLabel("bash|zsh|fish")
            .type(String.class)
            .completionCandidates(List.of("bash", "zsh", "fish"))
            .required(true)
            .description("The shell.")
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
              case "bash", "zsh" -> AutoComplete.bash("berth", grammar.get());
              case "fish" -> fish(grammar.get());
              default ->
                  throw UserError.usage(
                      "no completion for shell '%s'; use bash, zsh or fish".formatted(shell));
            });
    return 0;
  }

  private static String fish(CommandLine root) {
    var script = new StringBuilder("complete -c berth -f\n");
    for (var entry : root.getSubcommands().entrySet()) {
      var spec = entry.getValue().getCommandSpec();
      script.append(
          "complete -c berth -n __fish_use_subcommand -a %s -d '%s'\n"
              .formatted(entry.getKey(), quoted(spec.usageMessage().description())));
      appendCommand(script, entry.getKey(), spec);
    }
    return script.toString();
  }

  private static void appendCommand(StringBuilder script, String name, CommandSpec spec) {
    var when = "complete -c berth -n '__fish_seen_subcommand_from " + name + "'";
    for (var sub : spec.subcommands().entrySet()) {
      script.append(when).append(" -a ").append(sub.getKey()).append('\n');
    }
    for (var option : spec.options()) {
      script.append(when);
      for (var flag : option.names()) {
        script.append(flag.startsWith("--") ? " -l " : " -s ").append(flag.replaceAll("^-+", ""));
      }
      script.append(" -d '").append(quoted(option.description())).append("'\n");
    }
  }

  private static String quoted(String[] text) {
    return String.join(" ", text).replace("'", "\\'");
  }
}
