package io.berth.answers.lint;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.answers.source.ManifestReader;
import io.berth.answers.source.Survey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Placement bugs that people reported, rebuilt from what they wrote. Each file names the thread,
/// and marks with a remark what is to be found on which line: that, and nothing else.
class PublicReportsTest {

  private static final Path FOLDER = Path.of("src/test/resources/lint");
  private static final Pattern MARK = Pattern.compile("# (ERROR|WARNING) (\\S+)$");

  static Stream<Path> files() throws IOException {
    try (var files = Files.list(FOLDER)) {
      var found = files.sorted().toList();
      assertThat(found).hasSizeGreaterThanOrEqualTo(10);
      return found.stream();
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("files")
  void findsWhatWasReported(Path file) throws IOException {
    var text = Files.readString(file);
    var report = new Lint(_ -> text).check(Survey.of(ManifestReader.read(file)));

    assertThat(report.findings())
        .extracting(each -> "%d: %s %s".formatted(each.line(), each.severity(), each.rule()))
        .isEqualTo(marks(text));
  }

  private static List<String> marks(String text) {
    var marks = new ArrayList<String>();
    var lines = text.lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      var mark = MARK.matcher(lines.get(i));
      if (mark.find()) {
        marks.add(
            "%d: %s %s".formatted(i + 1, mark.group(1).toLowerCase(Locale.ROOT), mark.group(2)));
      }
    }
    return marks;
  }
}
