package io.berth.answers.lint;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.answers.source.ManifestReader;
import io.berth.answers.source.Survey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// No alarm where nothing is wrong: the project's examples.
class ExamplesLintTest {

  private static final Path EXAMPLES = Path.of(System.getProperty("berth.root", ".."), "examples");

  @Test
  void findsNothingInExamplesButWhatTheyShow() throws IOException {
    var findings = new ArrayList<String>();
    int manifests = 0;
    for (var file : manifests()) {
      manifests++;
      findings.addAll(findings(Files.readString(file), file));
    }

    assertThat(manifests).isGreaterThan(20);
    // This pod is to stay Pending: its term means its own namespace, where nobody has the label.
    assertThat(findings)
        .containsExactly("namespaces/manifest.yaml: warning selects-nothing Pod default/stranger");
  }

  private static List<Path> manifests() throws IOException {
    try (Stream<Path> files = Files.walk(EXAMPLES, 2)) {
      return files
          .filter(file -> file.getFileName().toString().matches("manifest.*\\.yaml"))
          .sorted()
          .toList();
    }
  }

  private static List<String> findings(String text, Path file) throws IOException {
    var beside = new StringBuilder(text);
    try (var others = Files.list(file.getParent())) {
      for (var other : others.filter(each -> each.endsWith("data.yaml")).toList()) {
        beside.append("\n---\n").append(Files.readString(other));
      }
    }
    var report =
        new Lint(_ -> text).check(Survey.of(ManifestReader.read("x.yaml", beside.toString())));
    var name = EXAMPLES.relativize(file);
    return report.findings().stream()
        .map(each ->
            "%s: %s %s %s"
                .formatted(name, each.severity(), each.rule(), each.message().split(":", 2)[0]))
        .toList();
  }
}
