package io.berth.placement.document;

import io.berth.api.Tree;
import io.berth.codec.SyntaxException;
import io.berth.codec.Yaml;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.MalformedInputException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Finds placement tests in files and folders, and reads them.
///
/// Documents of other kinds are left alone, and so are files of a folder that do not speak of
/// tests: charts and templates need not be YAML.
public final class TestReader {

  private static final int MOST_FILES = 100_000;
  private static final double MOST_WHOLE = 1e15;

  private TestReader() {}

  /// The files that are looked at: those named, and those of folders that speak of tests.
  public static List<Path> files(List<Path> paths) {
    var files = new ArrayList<Path>();
    for (var path : paths) {
      if (Files.isDirectory(path)) {
        files.addAll(below(path));
      } else {
        files.add(path);
      }
    }
    return files;
  }

  private static List<Path> below(Path folder) {
    try (var walk = Files.walk(folder)) {
      return walk.filter(TestReader::isDocument)
          .limit(MOST_FILES)
          .filter(TestReader::speaksOfTests)
          .sorted()
          .toList();
    } catch (IOException | UncheckedIOException e) {
      throw new TestDocumentException(folder, 1, 1, "cannot be read: " + e.getMessage());
    }
  }

  private static boolean isDocument(Path file) {
    var name = String.valueOf(file.getFileName());
    return !name.startsWith(".")
        && (name.endsWith(".yaml") || name.endsWith(".yml") || name.endsWith(".json"))
        && Files.isRegularFile(file);
  }

  // Of any encoding: a file that is no text is nobody's test.
  private static boolean speaksOfTests(Path file) {
    try {
      return Files.readString(file, StandardCharsets.ISO_8859_1).contains(TestOutline.KIND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// The tests of a file, in its order; throws a [TestDocumentException] for the first that is
  /// none.
  public static List<PlacementTest> read(Path file) {
    return read(file, text(file));
  }

  public static List<PlacementTest> read(Path file, String text) {
    var tests = new ArrayList<PlacementTest>();
    try {
      for (var document : Yaml.readPlaced(text)) {
        if (document.tree().textOrEmpty("kind").equals(TestOutline.KIND)) {
          tests.add(test(file, document));
        }
      }
    } catch (SyntaxException e) {
      throw new TestDocumentException(file, e.line(), e.column(), String.valueOf(e.getMessage()));
    }
    return tests;
  }

  private static PlacementTest test(Path file, Yaml.Placed document) {
    var tree = whole(document.tree());
    var mistake = TestOutline.TEST.mistake(tree);
    if (mistake != null) {
      var at = document.places().find(mistake.path());
      throw new TestDocumentException(file, at.line(), at.column(), mistake.toString());
    }
    return new PlacementTest(file, tree, document.places());
  }

  private static Tree whole(Tree tree) {
    var whole = new Tree();
    tree.fields().forEach((name, each) -> whole.put(name, whole(each)));
    return whole;
  }

  /// As JSON means it, `3.0` is a whole number.
  private static @Nullable Object whole(@Nullable Object value) {
    return switch (value) {
      case null -> null;
      case Double number when number == Math.rint(number) && Math.abs(number) < MOST_WHOLE ->
          number.longValue();
      case Tree tree -> whole(tree);
      case List<?> list -> {
        var whole = new ArrayList<@Nullable Object>();
        list.forEach(each -> whole.add(whole(each)));
        yield whole;
      }
      default -> value;
    };
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (NoSuchFileException e) {
      throw new TestDocumentException(file, 1, 1, "there is no such file");
    } catch (MalformedInputException e) {
      throw new TestDocumentException(file, 1, 1, "not UTF-8 text");
    } catch (IOException e) {
      throw new TestDocumentException(file, 1, 1, "cannot be read: " + e.getMessage());
    }
  }
}
