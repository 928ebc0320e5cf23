package io.berth.cli;

import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/// One verb of `berth`: what its line may hold, and what it does.
///
/// A command sees a parsed line and a [Terminal], never the process, so that its test needs
/// neither. [Cli] adds the options that mean the same everywhere (`-o`, `--quiet`, `--verbose`,
/// `--help`).
public interface Command {

  /// Name, description, options, operands, and an `Examples:` footer.
  CommandSpec spec();

  /// What `-o` takes.
  default List<String> formats() {
    return List.of("table", "json", "yaml");
  }

  /// Runs, and returns the exit code: 0 for success, 1 for "no" (differences found, check failed).
  ///
  /// A mistake of the user is a [UserError]; anything else that is thrown is a defect.
  int run(ParseResult line, Terminal terminal) throws Exception;
}
