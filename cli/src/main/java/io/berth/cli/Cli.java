package io.berth.cli;

import io.berth.api.ApiException;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/// Parses a command line, runs the command it names, and turns what happens into an exit code.
///
/// 0: done. 1: the answer is no, or the request could not be carried out. 2: the line makes no
/// sense. 70: a defect in Berth, the only case with a stack trace, and that only with `--verbose`.
public final class Cli {

  public static final int USAGE = 2;
  private static final int DEFECT = 70;

  private final List<Command> commands;
  private final Map<String, String> environment;
  private final boolean interactive;

  /// `interactive` says that standard output is a terminal.
  public Cli(List<Command> commands, Map<String, String> environment, boolean interactive) {
    this.commands = List.copyOf(commands);
    this.environment = Map.copyOf(environment);
    this.interactive = interactive;
  }

  public int run(List<String> arguments, PrintStream out, PrintStream err) {
    var line = commandLine();
    try {
      var parsed = line.parseArgs(arguments.toArray(String[]::new));
      return dispatch(parsed, out, err);
    } catch (ParameterException e) {
      return misread(e, err);
    }
  }

  /// The whole grammar: for parsing, help and completion.
  public CommandLine commandLine() {
    var root =
        CommandSpec.create()
            .name("berth")
            .addOption(
                OptionSpec.builder("-h", "--help")
                    .usageHelp(true)
                    .description("Show help for a command.")
                    .build());
    root.usageMessage()
        .description("Decides where pods run, and can always say why.")
        .footer(
            "",
            "Exit codes: 0 done; 1 refused, or the answer is no; 2 the line makes no sense.",
            "",
            "Run 'berth COMMAND --help' for more about a command.");
    for (var command : commands) {
      root.addSubcommand(command.spec().name(), withCommonOptions(command));
    }
    return new CommandLine(root)
        .setUsageHelpAutoWidth(true)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setPosixClusteredShortOptionsAllowed(false);
  }

  private static CommandSpec withCommonOptions(Command command) {
    var spec = command.spec();
    addCommonOptions(spec, command.formats());
    return spec;
  }

  private static void addCommonOptions(CommandSpec spec, List<String> formats) {
    spec.addOption(
        OptionSpec.builder("-o", "--output")
            .paramLabel(String.join("|", formats))
            .type(Terminal.Format.class)
            .converters(word -> format(word, formats))
            .completionCandidates(formats)
            .description("How results are printed (default: table).")
            .build());
    spec.addOption(OptionSpec.builder("-q", "--quiet").description("Print results only.").build());
    spec.addOption(
        OptionSpec.builder("-v", "--verbose").description("Print how the work goes.").build());
    spec.addOption(
        OptionSpec.builder("--log-format")
            .paramLabel("text|json")
            .type(String.class)
            .converters(Cli::logFormat)
            .completionCandidates(List.of("text", "json"))
            .description("How log lines look on standard error (default: text).")
            .build());
    spec.addOption(
        OptionSpec.builder("-h", "--help").usageHelp(true).description("Show this help.").build());
    for (var sub : spec.subcommands().values()) {
      addCommonOptions(sub.getCommandSpec(), formats);
    }
  }

  private static Terminal.Format format(String word, List<String> formats) {
    if (!formats.contains(word)) {
      throw new CommandLine.TypeConversionException(
          "'%s' is no output format; use one of %s".formatted(word, String.join(", ", formats)));
    }
    return Terminal.Format.valueOf(word.toUpperCase(Locale.ROOT));
  }

  private static String logFormat(String word) {
    if (!word.equals("text") && !word.equals("json")) {
      throw new CommandLine.TypeConversionException(
          "'%s' is no format of log lines; use one of text, json".formatted(word));
    }
    return word;
  }

  private int dispatch(ParseResult parsed, PrintStream out, PrintStream err) {
    var last = parsed;
    while (last.hasSubcommand()) {
      last = last.subcommand();
    }
    var asked = last.commandSpec();
    if (last.isUsageHelpRequested() || !parsed.hasSubcommand()) {
      usage(asked.commandLine(), out);
      return 0;
    }
    if (!asked.subcommands().isEmpty()) {
      err.println("berth: '%s' needs a subcommand".formatted(asked.qualifiedName()));
      usage(asked.commandLine(), err);
      return USAGE;
    }
    return run(named(parsed.subcommand().commandSpec().name()), last, out, err);
  }

  private int run(Command command, ParseResult line, PrintStream out, PrintStream err) {
    var verbose = line.hasMatchedOption("--verbose");
    try {
      return command.run(line, terminal(line, out, err));
    } catch (UserError e) {
      err.println("berth: " + e.getMessage());
      return e.exitCode();
    } catch (ApiException e) {
      err.println("berth: " + e.getMessage());
      return 1;
    } catch (ParameterException e) {
      return misread(e, err);
    } catch (Exception e) {
      err.println("berth: defect: " + e);
      if (verbose) {
        e.printStackTrace(err);
      } else {
        err.println("Run again with --verbose to see where, and please report it.");
      }
      return DEFECT;
    }
  }

  private Terminal terminal(ParseResult line, PrintStream out, PrintStream err) {
    var format = line.matchedOptionValue("--output", Terminal.Format.TABLE);
    boolean quiet = line.hasMatchedOption("--quiet");
    return new Terminal(out, err, format, quiet, interactive && wantsColours());
  }

  // https://no-color.org: any value but the empty one switches colours off.
  private boolean wantsColours() {
    return environment.getOrDefault("NO_COLOR", "").isEmpty()
        && !environment.getOrDefault("TERM", "").equals("dumb");
  }

  private Command named(String name) {
    for (var command : commands) {
      if (command.spec().name().equals(name)) {
        return command;
      }
    }
    throw new IllegalStateException("no command " + name);
  }

  private int misread(ParameterException e, PrintStream err) {
    var asked = e.getCommandLine().getCommandSpec();
    var where = asked.qualifiedName();
    if (e instanceof UnmatchedArgumentException unmatched) {
      var word = unmatched.getUnmatched().getFirst();
      err.println("berth: %s '%s' for '%s'".formatted(objection(word, asked), word, where));
      var meant = Meant.by(word, asked);
      if (!meant.isEmpty()) {
        err.println("Did you mean '%s'?".formatted(String.join("' or '", meant)));
      }
    } else {
      var message = String.valueOf(e.getMessage());
      err.println(
          "berth: " + message.substring(0, 1).toLowerCase(Locale.ROOT) + message.substring(1));
    }
    err.println("Run '%s --help' for what it takes.".formatted(where));
    return USAGE;
  }

  private static String objection(String word, CommandSpec asked) {
    if (word.startsWith("-")) {
      return "unknown flag";
    }
    return asked.subcommands().isEmpty() ? "unexpected argument" : "unknown command";
  }

  private void usage(CommandLine line, PrintStream out) {
    var ansi = interactive && wantsColours() ? CommandLine.Help.Ansi.ON : CommandLine.Help.Ansi.OFF;
    line.usage(out, ansi);
  }
}
