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

/// A jar with the rules of the guide, compiled from what the guide shows.
final class RuleJar {

  private static final Path EXAMPLES =
      Path.of(
          Objects.requireNonNull(System.getProperty("berth.root")),
          "engine/src/test/java/io/berth/engine/example");

  private RuleJar() {}

  /// `providers` are simple names of classes among the examples.
  static Path write(Path folder, String name, String... providers) throws IOException {
    Files.createDirectories(folder);
    var classes = Files.createTempDirectory(folder, "classes");
    compile(classes);
    var jar = folder.resolve(name);
    try (var out = new JarOutputStream(Files.newOutputStream(jar));
        var files = Files.walk(classes)) {
      for (var file : files.filter(Files::isRegularFile).toList()) {
        out.putNextEntry(new JarEntry(classes.relativize(file).toString()));
        out.write(Files.readAllBytes(file));
      }
      out.putNextEntry(new JarEntry("META-INF/services/io.berth.engine.rule.RuleProvider"));
      for (var provider : providers) {
        out.write(
            "io.berth.engine.example.%s\n".formatted(provider).getBytes(StandardCharsets.UTF_8));
      }
    }
    return jar;
  }

  private static void compile(Path classes) {
    var arguments =
        new ArrayList<>(
            List.of("-d", classes.toString(), "-cp", System.getProperty("java.class.path")));
    for (var source :
        List.of("LicensedNodes", "LicensedNodesProvider", "LabelScore", "LabelScoreProvider")) {
      arguments.add(EXAMPLES.resolve(source + ".java").toString());
    }
    var compiler = ToolProvider.getSystemJavaCompiler();
    assertThat(compiler.run(null, null, null, arguments.toArray(String[]::new))).isZero();
  }
}
