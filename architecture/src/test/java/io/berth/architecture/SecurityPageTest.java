package io.berth.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// Nothing is claimed on the security page without a test: every row of a table whose last column
/// is `test` names one, and every test it names is there, in the module named before it.
class SecurityPageTest {

  private static final Pattern TEST = Pattern.compile("(?:\\b([a-z/]+) )?`(\\w+Test)`");

  @Test
  void everyClaimHasATest() throws IOException {
    var without = new ArrayList<String>();
    boolean claims = false;
    for (var line : page()) {
      if (!line.startsWith("|")) {
        claims = false;
      } else if (line.endsWith("| test |")) {
        claims = true;
      } else if (claims && !line.startsWith("| ---") && !TEST.matcher(lastCell(line)).find()) {
        without.add(line);
      }
    }
    assertThat(without).as("claims without a test").isEmpty();
  }

  @Test
  void everyTestIsThere() throws IOException {
    var missing = new TreeSet<String>();
    var module = "";
    for (var test : TEST.matcher(String.join("\n", page())).results().toList()) {
      module = test.group(1) == null ? module : test.group(1);
      if (!exists(module, test.group(2))) {
        missing.add(module + " " + test.group(2));
      }
    }
    assertThat(missing).as("tests that are not there").isEmpty();
  }

  private static boolean exists(String module, String test) throws IOException {
    var sources = Tree.root().resolve(module).resolve("src/test/java");
    return Tree.javaFiles().stream()
        .anyMatch(file -> file.startsWith(sources) && file.endsWith(test + ".java"));
  }

  private static String lastCell(String row) {
    var cells = row.split("\\|", -1);
    return cells[cells.length - 2];
  }

  private static List<String> page() throws IOException {
    return Files.readAllLines(Tree.root().resolve("docs/reference/security.md"));
  }
}
