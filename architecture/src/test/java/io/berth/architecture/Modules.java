package io.berth.architecture;

import java.util.Map;
import java.util.Set;

/// Who may know whom: the one place where an arrow between modules, or to a library, is allowed.
final class Modules {

  /// Module → modules of Berth it may use. What is not listed here does not exist.
  static final Map<String, Set<String>> MAY_USE =
      Map.ofEntries(
          Map.entry("api", Set.of()),
          Map.entry("codec", Set.of("api")),
          Map.entry("schema", Set.of("api", "codec")),
          Map.entry("store", Set.of("api")),
          Map.entry("kinds", Set.of("api", "codec", "schema")),
          Map.entry("admission", Set.of("api", "codec", "schema")),
          Map.entry("server", Set.of("api", "codec", "schema", "store", "kinds", "admission")),
          Map.entry("cluster", Set.of("api")),
          Map.entry(
              "cluster.embedded",
              Set.of("api", "codec", "schema", "store", "kinds", "admission", "cluster", "server")),
          Map.entry("cluster.kubernetes", Set.of("api", "codec", "cluster", "schema")),
          Map.entry("engine", Set.of("api")),
          Map.entry("scheduler", Set.of("api", "codec", "engine", "cluster")),
          Map.entry("controllers", Set.of("admission", "api", "codec", "cluster", "schema")),
          Map.entry("conformance", Set.of("api", "codec", "engine")),
          Map.entry("quota", Set.of("api", "engine")),
          Map.entry("workloads", Set.of("api", "codec", "cluster", "engine", "quota", "answers")),
          Map.entry("answers", Set.of("api", "codec", "engine")),
          Map.entry(
              "console",
              Set.of("admission", "answers", "api", "cluster", "codec", "engine", "server")),
          // A whole cluster in one process, wired by hand as in `app`.
          Map.entry(
              "placement",
              Set.of(
                  "admission",
                  "answers",
                  "api",
                  "cluster",
                  "cluster.embedded",
                  "codec",
                  "controllers",
                  "engine",
                  "scheduler",
                  "schema",
                  "server",
                  "store")),
          Map.entry(
              "junit", Set.of("answers", "api", "cluster", "codec", "controllers", "placement")),
          Map.entry(
              "cli",
              Set.of("api", "codec", "answers", "conformance", "cluster", "engine", "placement")));

  /// Package of a library → modules it may enter. `app` wires, and may use anything.
  static final Map<String, Set<String>> LIBRARIES =
      Map.ofEntries(
          Map.entry("tools.jackson", Set.of("codec")),
          Map.entry("org.yaml", Set.of("codec")),
          Map.entry("org.rocksdb", Set.of("store")),
          Map.entry("org.eclipse.jetty", Set.of("server")),
          Map.entry("com.nimbusds", Set.of("server")),
          Map.entry("dev.cel", Set.of("schema")),
          Map.entry("com.google.re2j", Set.of("schema")),
          Map.entry("io.fabric8", Set.of("cluster.kubernetes")),
          Map.entry("com.carrotsearch", Set.of("engine", "scheduler", "quota")),
          Map.entry("picocli", Set.of("cli")),
          Map.entry("ch.qos.logback", Set.of("app")),
          Map.entry("io.prometheus", Set.of("server", "scheduler", "controllers")));

  private Modules() {}

  /// The module a package belongs to: the longest listed name that it starts with.
  static String of(String packageName) {
    var rest = packageName.substring("io.berth.".length());
    for (var module : new String[] {"cluster.embedded", "cluster.kubernetes"}) {
      if (rest.equals(module) || rest.startsWith(module + ".")) {
        return module;
      }
    }
    int dot = rest.indexOf('.');
    return dot < 0 ? rest : rest.substring(0, dot);
  }
}
