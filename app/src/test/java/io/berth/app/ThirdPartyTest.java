package io.berth.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// What is shipped with Berth is listed with its licence, and every licence is one we know.
///
/// The list is read from the descriptions that the jars were published with; `-Dthird-party.write`
/// writes it anew after a dependency changed.
class ThirdPartyTest {

  private static final Path LIST =
      Path.of(System.getProperty("berth.root")).resolve("dist/THIRD-PARTY.txt");

  /// On the class path of tests only.
  private static final Pattern FOR_TESTS =
      Pattern.compile(
          "(junit|assertj|byte-buddy|opentest4j|apiguardian|surefire|jazzer|client-java|archunit).*");

  /// How publishers write the licences that we may ship.
  private static final Map<Pattern, String> KNOWN =
      Map.of(
          Pattern.compile("(?i)(the )?apache.*2\\.0.*"), "Apache-2.0",
          Pattern.compile("(?i)(the )?mit( license|-?)?.*"), "MIT",
          Pattern.compile("(?i)go license|bsd-3-clause|.*3-clause.*|.*new bsd.*"), "BSD-3-Clause",
          Pattern.compile("(?i).*bsd.*2.*"), "BSD-2-Clause",
          Pattern.compile("(?i)(eclipse public license|epl).*1\\.0.*"), "EPL-1.0",
          Pattern.compile("(?i)(eclipse public license|epl).*2\\.0.*"), "EPL-2.0",
          Pattern.compile("(?i)(gnu )?(lesser general public|lgpl).*"), "LGPL-2.1",
          Pattern.compile("(?i)gnu general public license.*2.*"), "GPL-2.0");

  private static final Pattern LICENCES = tag("licenses");
  private static final Pattern LICENCE_NAME =
      Pattern.compile("<license>.*?<name>\\s*(.*?)\\s*</name>", Pattern.DOTALL);
  private static final Pattern PARENT = tag("parent");

  @Test
  void everyJarIsListedWithALicenceWeKnow() throws IOException {
    var listed = String.join("\n", lines()) + "\n";
    if (Boolean.getBoolean("third-party.write")) {
      Files.writeString(LIST, listed);
    }

    assertThat(listed).doesNotContain("unknown");
    assertThat(LIST).hasContent(listed);
  }

  private static List<String> lines() throws IOException {
    var licences = new TreeMap<String, String>();
    for (var entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      var jar = Path.of(entry);
      var name = String.valueOf(jar.getFileName()).replaceFirst("\\.jar$", "");
      if (entry.endsWith(".jar") && !name.startsWith("berth-") && !isForTests(name)) {
        licences.put(name, String.join(" or ", licences(pomOf(jar))));
      }
    }
    var lines = new ArrayList<String>();
    licences.forEach((name, licence) -> lines.add(name + "  " + licence));
    return lines;
  }

  private static boolean isForTests(String name) {
    return FOR_TESTS.matcher(name).matches();
  }

  private static Path pomOf(Path jar) {
    var version = Objects.requireNonNull(jar.toAbsolutePath().getParent());
    var artifact = Objects.requireNonNull(version.getParent());
    return version.resolve(artifact.getFileName() + "-" + version.getFileName() + ".pom");
  }

  /// Those of the description itself, or of the one it was made from.
  private static List<String> licences(@Nullable Path pom) throws IOException {
    if (pom == null || !Files.exists(pom)) {
      return List.of("unknown");
    }
    var text = Files.readString(pom, StandardCharsets.ISO_8859_1);
    var section = LICENCES.matcher(text);
    if (section.find()) {
      return LICENCE_NAME
          .matcher(section.group(1))
          .results()
          .map(each -> known(each.group(1)))
          .distinct()
          .toList();
    }
    var parent = PARENT.matcher(text);
    return licences(parent.find() ? parentPom(pom, parent.group(1)) : null);
  }

  private static String known(String name) {
    return KNOWN.entrySet().stream()
        .filter(each -> each.getKey().matcher(name).matches())
        .map(Map.Entry::getValue)
        .sorted()
        .findFirst()
        .orElse("unknown: " + name);
  }

  private static @Nullable Path parentPom(Path pom, String parent) {
    var version = value(parent, "version");
    var artifact = value(parent, "artifactId");
    var path =
        Path.of(value(parent, "groupId").replace('.', '/'))
            .resolve(artifact)
            .resolve(version)
            .resolve(artifact + "-" + version + ".pom");
    return inRepositoryOf(pom, path);
  }

  /// The file at this place of the repository that holds `pom`, wherever that is.
  private static @Nullable Path inRepositoryOf(Path pom, Path path) {
    for (var folder = pom.getParent(); folder != null; folder = folder.getParent()) {
      if (Files.exists(folder.resolve(path))) {
        return folder.resolve(path);
      }
    }
    return null;
  }

  private static String value(String text, String tag) {
    var found = tag(tag).matcher(text);
    return found.find() ? found.group(1).strip() : "";
  }

  private static Pattern tag(String name) {
    return Pattern.compile("<%1$s>(.*?)</%1$s>".formatted(name), Pattern.DOTALL);
  }
}
