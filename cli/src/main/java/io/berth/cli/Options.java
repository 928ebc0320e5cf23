package io.berth.cli;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/// Options and operands as commands declare them, and what several commands read from them.
final class Options {

  private static final int MAX_PORT = 65535;

  private Options() {}

  /// One with a value, `label` in the help.
  static OptionSpec text(String name, String label, String description) {
    return OptionSpec.builder(name)
        .paramLabel(label)
        .type(String.class)
        .description(description)
        .build();
  }

  /// One that is there or not.
  static OptionSpec flag(String name, String description) {
    return OptionSpec.builder(name).description(description).build();
  }

  /// The one thing a command is about; it must be given.
  static PositionalParamSpec operand(String label, String description) {
    return PositionalParamSpec.builder()
        .index("0")
        .paramLabel(label)
        .type(String.class)
        .required(true)
        .description(description)
        .build();
  }

  /// One or more things of a kind.
  static PositionalParamSpec operands(String label, Class<?> type, String description) {
    return PositionalParamSpec.builder()
        .paramLabel(label)
        .arity("1..*")
        .type(List.class)
        .auxiliaryTypes(type)
        .required(true)
        .description(description)
        .build();
  }

  /// The folder of a cluster that is there already.
  static void addFolder(CommandSpec spec) {
    spec.addOption(text("--data", "DIR", "The data folder (default: ~/.berth/data)."));
    spec.addOption(flag("--in-memory", "The cluster that 'berth up --in-memory' runs."));
  }

  static int port(String text) {
    try {
      int port = Integer.parseInt(text);
      if (port >= 0 && port <= MAX_PORT) {
        return port;
      }
    } catch (NumberFormatException e) {
      // Falls through to the refusal.
    }
    throw UserError.usage("'%s' is no port; use a number from 0 to 65535".formatted(text));
  }

  static @Nullable Path path(String text) {
    return text.isEmpty() ? null : Path.of(text).toAbsolutePath().normalize();
  }
}
