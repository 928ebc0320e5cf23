package io.berth.answers.source;

import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.codec.SyntaxException;
import io.berth.codec.Yaml;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Reads files as users have them: manifests, rendered charts, what `kubectl get -o yaml|json`
/// prints, folders of these.
///
/// Objects of lists come one by one. Everything that is no Kubernetes object is a
/// [ManifestException] that says where.
public final class ManifestReader {

  /// A file beyond is refused: what it says would not fit into memory either.
  private static final int MAX_BYTES = 1 << 30;

  private static final int MAX_FILES = 10_000;

  private ManifestReader() {}

  /// Reads a file, or all files below a folder that are named as manifests are, in order of name.
  public static List<Manifest> read(Path path) {
    var manifests = new ArrayList<Manifest>();
    for (var file : files(path)) {
      try (var in = Files.newInputStream(file)) {
        manifests.addAll(read(file.toString(), in));
      } catch (IOException e) {
        throw unreadable(file, e);
      }
    }
    return manifests;
  }

  /// Reads a stream; `name` is for messages.
  public static List<Manifest> read(String name, InputStream in) throws IOException {
    var bytes = in.readNBytes(MAX_BYTES + 1);
    if (bytes.length > MAX_BYTES) {
      throw new ManifestException(
          new Origin(name, 1), "larger than 1 GiB; split it into several files");
    }
    return read(name, text(name, bytes));
  }

  /// Reads a text; `name` is for messages.
  public static List<Manifest> read(String name, String text) {
    var manifests = new ArrayList<Manifest>();
    for (var document : Documents.of(text)) {
      var origin = new Origin(name, document.line());
      for (var tree : parse(document.text(), origin)) {
        addObjects(tree, origin, manifests);
      }
    }
    return manifests;
  }

  private static List<Path> files(Path path) {
    if (!Files.isDirectory(path)) {
      return List.of(path);
    }
    try (var below = Files.walk(path)) {
      var files =
          below
              .filter(file -> isManifest(file.getFileName().toString()))
              .filter(Files::isRegularFile)
              .limit(MAX_FILES + 1L)
              .sorted()
              .toList();
      if (files.isEmpty() || files.size() > MAX_FILES) {
        throw new ManifestException(
            new Origin(path.toString(), 1),
            files.isEmpty()
                ? "no file in this folder ends in .yaml, .yml or .json"
                : "more than %d files; name those that matter".formatted(MAX_FILES));
      }
      return files;
    } catch (IOException e) {
      throw unreadable(path, e);
    }
  }

  private static boolean isManifest(String name) {
    return !name.startsWith(".")
        && (name.endsWith(".yaml") || name.endsWith(".yml") || name.endsWith(".json"));
  }

  private static ManifestException unreadable(Path file, IOException e) {
    var problem =
        e instanceof java.nio.file.NoSuchFileException
            ? "there is no such file"
            : "cannot be read: " + e.getMessage();
    return new ManifestException(new Origin(file.toString(), 1), problem);
  }

  private static String text(String name, byte[] bytes) {
    try {
      var text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      return text.startsWith("\uFEFF") ? text.substring(1) : text;
    } catch (CharacterCodingException e) {
      throw new ManifestException(
          new Origin(name, 1), "not UTF-8 text; manifests are YAML or JSON");
    }
  }

  private static List<Tree> parse(String text, Origin origin) {
    try {
      return isJson(text) ? List.of(Json.read(text)) : Yaml.readAll(text, Integer.MAX_VALUE);
    } catch (SyntaxException e) {
      throw ManifestException.of(origin, e);
    }
  }

  // Braces begin YAML, too: there the first name need not be in quotes.
  private static boolean isJson(String text) {
    var start = text.stripLeading();
    return start.startsWith("{") && start.substring(1).stripLeading().startsWith("\"");
  }

  private static void addObjects(Tree tree, Origin origin, List<Manifest> manifests) {
    var kind = tree.textOrEmpty("kind");
    if (kind.endsWith("List") && tree.get("items") instanceof List<?> items) {
      for (int i = 0; i < items.size(); i++) {
        if (!(items.get(i) instanceof Tree item)) {
          throw new ManifestException(origin, "items[%d]: expected an object".formatted(i));
        }
        addObjects(asItemOf(tree, item), origin.item(i), manifests);
      }
    } else {
      whatIsMissing(tree)
          .ifPresent(problem -> {
            throw new ManifestException(origin, problem);
          });
      manifests.add(new Manifest(tree, origin));
    }
  }

  // Items of a typed list, such as a PodList, need not say what they are.
  private static Tree asItemOf(Tree list, Tree item) {
    var kind = list.textOrEmpty("kind");
    if (!item.has("kind") && !kind.equals("List")) {
      item.put("kind", kind.substring(0, kind.length() - "List".length()));
      item.put("apiVersion", list.get("apiVersion"));
    }
    return item;
  }

  private static Optional<String> whatIsMissing(Tree tree) {
    if (tree.textOrEmpty("kind").isEmpty()) {
      return Optional.of(
          "kind: is missing; a Kubernetes object says what it is, such as kind: Pod");
    }
    if (tree.textOrEmpty("apiVersion").isEmpty()) {
      return Optional.of("apiVersion: is missing; for kind: Pod it is apiVersion: v1");
    }
    return tree.textOrEmpty("metadata", "name").isEmpty()
            && tree.textOrEmpty("metadata", "generateName").isEmpty()
        ? Optional.of(
            "metadata.name: is missing; give the %s a name".formatted(tree.textOrEmpty("kind")))
        : Optional.empty();
  }
}
