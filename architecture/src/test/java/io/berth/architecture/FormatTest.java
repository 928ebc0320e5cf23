package io.berth.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.googlejavaformat.java.Formatter;
import com.google.googlejavaformat.java.FormatterException;
import com.google.googlejavaformat.java.ImportOrderer;
import com.google.googlejavaformat.java.JavaFormatterOptions;
import com.google.googlejavaformat.java.RemoveUnusedImports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Every Java file is as google-java-format writes it, without unused imports.
///
/// `mvn -q -pl architecture -am test -Dtest=FormatTest -Dformat.fix` rewrites what is not.
class FormatTest {

  private static final boolean FIX = System.getProperty("format.fix") != null;

  private final Formatter formatter = new Formatter(JavaFormatterOptions.defaultOptions());

  @Test
  void everyFileIsFormatted() throws Exception {
    var complaints = new ArrayList<String>();
    for (var file : Tree.javaFiles()) {
      check(file, complaints);
    }
    assertThat(complaints)
        .as("run: mvn -q -pl architecture -am test -Dtest=FormatTest -Dformat.fix")
        .isEmpty();
  }

  private void check(Path file, List<String> complaints) throws IOException, FormatterException {
    var source = Files.readString(file);
    var used = RemoveUnusedImports.removeUnusedImports(source);
    var ordered = ImportOrderer.reorderImports(used, JavaFormatterOptions.Style.GOOGLE);
    var formatted = formatter.formatSource(ordered);
    if (formatted.equals(source)) {
      return;
    }
    if (FIX) {
      Files.writeString(file, formatted);
    } else {
      complaints.add(
          (used.equals(source) ? "not formatted: " : "unused import: ")
              + Tree.root().relativize(file));
    }
  }
}
