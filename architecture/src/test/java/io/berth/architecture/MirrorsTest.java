package io.berth.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// A class that mirrors behaviour of Kubernetes names it, so that the next version can be compared.
class MirrorsTest {

  private static final Pattern KIND =
      Pattern.compile("^[a-z ]*class \\w+(?:Strategy|Validation|Rules)\\b", Pattern.MULTILINE);
  private static final Pattern PLUGIN =
      Pattern.compile("^[a-z ]*class \\w+ implements AdmissionPlugin\\b", Pattern.MULTILINE);
  private static final Pattern LINE =
      Pattern.compile("^/// Mirrors: [\\w/-]+\\.\\w+", Pattern.MULTILINE);

  @Test
  void strategiesValidationsAndPluginsNameWhatTheyMirror() throws IOException {
    int mirrors = 0;
    var silent = new TreeSet<String>();
    for (var file : Tree.javaFiles()) {
      var text = Files.readString(file);
      if (isMirror(file, text)) {
        mirrors++;
        if (!LINE.matcher(text).find()) {
          silent.add(Tree.root().relativize(file).toString());
        }
      }
    }
    assertThat(mirrors).isGreaterThan(100);
    assertThat(silent).as("classes without a line `/// Mirrors: package.Function`").isEmpty();
  }

  private static boolean isMirror(Path file, String text) {
    var path = Tree.root().relativize(file).toString();
    return (path.startsWith("kinds/src/main/") && KIND.matcher(text).find())
        || (path.startsWith("admission/src/main/") && PLUGIN.matcher(text).find());
  }
}
