package io.berth.app;

import io.berth.cli.BerthVersion;

/// The entry point of every `berth` command.
public final class Main {

  private Main() {}

  public static void main(String[] arguments) {
    System.out.println("berth " + BerthVersion.current());
  }
}
