package io.berth.cli;

import picocli.CommandLine.Model.OptionSpec;

/// Options as commands declare them.
final class Options {

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
}
