package io.berth.cli;

import java.util.List;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/// `berth help [COMMAND...]`: the same text as `berth COMMAND --help`.
public final class Help implements Command {

  private final Supplier<CommandLine> grammar;

  public Help(Supplier<CommandLine> grammar) {
    this.grammar = grammar;
  }

  @Override
  public CommandSpec spec() {
    var spec = CommandSpec.create().name("help");
    spec.addPositional(
        PositionalParamSpec.builder()
            .paramLabel("COMMAND")
            .arity("0..*")
            .type(List.class)
            .auxiliaryTypes(String.class)
            .description("The command to explain; none: all of them.")
            .build());
    spec.usageMessage()
        .description("Explain a command.")
        .footer("", "Examples:", "  berth help", "  berth help version");
    return spec;
  }

  @Override
  public int run(ParseResult line, Terminal terminal) {
    var asked = grammar.get();
    for (var name : line.matchedPositionalValue(0, List.<String>of())) {
      var next = asked.getSubcommands().get(name);
      if (next == null) {
        throw UserError.usage(
            "unknown command '%s'; run 'berth help' for the list".formatted(name));
      }
      asked = next;
    }
    asked.usage(
        terminal.out(), terminal.colours() ? CommandLine.Help.Ansi.ON : CommandLine.Help.Ansi.OFF);
    return 0;
  }
}
