package io.berth.cli;

import io.berth.engine.rule.RuleCatalog;
import io.berth.engine.rule.RuleProvider;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.jar.JarFile;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/// `--rules DIR`: rules in jars of a folder, found by [ServiceLoader]. They run in this process and
/// may do what it may.
public final class RuleJars {

  private static final String SERVICE = "META-INF/services/" + RuleProvider.class.getName();

  private RuleJars() {}

  static OptionSpec option() {
    return Options.text(
        "--rules", "DIR", "Jars with rules of your own, which the configuration enables by name.");
  }

  static RuleCatalog of(ParseResult line) {
    String folder = line.matchedOptionValue("--rules", "");
    return folder.isEmpty() ? RuleCatalog.NONE : load(Path.of(folder).toAbsolutePath().normalize());
  }

  /// What is wrong with the folder or its jars is a [UserError].
  public static RuleCatalog load(Path folder) {
    var jars = jars(folder);
    // Stays open as long as the process: rules load their classes when they need them.
    var loader = new URLClassLoader(urls(jars), RuleProvider.class.getClassLoader());
    try {
      var providers =
          ServiceLoader.load(RuleProvider.class, loader).stream()
              .map(ServiceLoader.Provider::get)
              .toList();
      if (providers.isEmpty()) {
        throw UserError.usage("%s: no jar there has a %s".formatted(folder, SERVICE));
      }
      return new RuleCatalog(providers);
    } catch (ServiceConfigurationError | LinkageError | IllegalArgumentException e) {
      throw UserError.usage("%s: %s".formatted(folder, e.getMessage()));
    }
  }

  private static List<Path> jars(Path folder) {
    try (var files = Files.list(folder)) {
      var jars = files.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
      if (jars.isEmpty()) {
        throw UserError.usage(folder + ": no jars there; --rules takes a folder with some");
      }
      jars.forEach(RuleJars::check);
      return jars;
    } catch (IOException e) {
      throw UserError.usage(folder + ": no such folder, or it cannot be read");
    }
  }

  // A class loader passes over what it cannot read.
  private static void check(Path jar) {
    try (var opened = new JarFile(jar.toFile())) {
      opened.size();
    } catch (IOException e) {
      throw UserError.usage("%s: cannot be read: %s".formatted(jar, e.getMessage()));
    }
  }

  private static URL[] urls(List<Path> jars) {
    var urls = new ArrayList<URL>();
    for (var jar : jars) {
      try {
        urls.add(jar.toUri().toURL());
      } catch (MalformedURLException e) {
        throw UserError.usage("%s: %s".formatted(jar, e.getMessage()));
      }
    }
    return urls.toArray(URL[]::new);
  }
}
