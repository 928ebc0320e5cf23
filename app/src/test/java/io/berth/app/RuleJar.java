package io.berth.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import javax.tools.ToolProvider;

/// Jars with the rules of the guide, compiled from what the guide shows.
final class RuleJar {

  private static final String SERVICES = "META-INF/services/io.berth.engine.rule.RuleProvider";
  private static final String PACKAGE = "io.berth.engine.example.";

  private final Path classes;

  /// Compiles the rules into the folder.
  RuleJar(Path classes) {
    this.classes = classes;
    var examples =
        Path.of(
            Objects.requireNonNull(System.getProperty("berth.root")),
            "engine/src/test/java",
            PACKAGE.replace('.', '/'));
    var arguments =
        new ArrayList<>(
            List.of("-d", classes.toString(), "-cp", System.getProperty("java.class.path")));
    for (var rule : List.of("LicensedNodes", "LabelledFirst")) {
      arguments.add(examples.resolve(rule + ".java").toString());
      arguments.add(examples.resolve(rule + "Provider.java").toString());
    }
    var compiler = ToolProvider.getSystemJavaCompiler();
    assertThat(compiler.run(null, null, null, arguments.toArray(String[]::new))).isZero();
  }

  /// `providers` are simple names of classes, which need not be there.
  void write(Path jar, String... providers) throws IOException {
    Files.createDirectories(jar.getParent());
    try (var out = new JarOutputStream(Files.newOutputStream(jar));
        var files = Files.walk(classes)) {
      for (var file : files.filter(Files::isRegularFile).toList()) {
        out.putNextEntry(new JarEntry(classes.relativize(file).toString()));
        out.write(Files.readAllBytes(file));
      }
      out.putNextEntry(new JarEntry(SERVICES));
      for (var provider : providers) {
        out.write((PACKAGE + provider + "\n").getBytes(StandardCharsets.UTF_8));
      }
    }
  }
}
