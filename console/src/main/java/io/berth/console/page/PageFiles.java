package io.berth.console.page;

import io.berth.server.http.Answer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// The built page, from the class path. A name leads to a file of the page or to nothing.
public final class PageFiles {

  private static final Map<String, String> TYPES =
      Map.of(
          "html", "text/html; charset=utf-8",
          "js", "text/javascript; charset=utf-8",
          "css", "text/css; charset=utf-8",
          "svg", "image/svg+xml");

  private static final String FOREVER = "public, max-age=31536000, immutable";

  private final Map<String, byte[]> read = new ConcurrentHashMap<>();

  /// The file of this name, `""` being the page itself.
  public Optional<Answer.Whole> find(String name) {
    var file = name.isEmpty() ? "index.html" : name;
    if (!file.matches("(assets/)?[A-Za-z0-9_-]+\\.(html|js|css|svg)")) {
      return Optional.empty();
    }
    var known = read.get(file);
    if (known == null) {
      known = load(file);
      if (known == null) {
        return Optional.empty();
      }
      read.put(file, known);
    }
    var headers = new ArrayList<Map.Entry<String, String>>();
    headers.add(Map.entry("Content-Type", type(file)));
    // Names of these change with what is in them.
    headers.add(Map.entry("Cache-Control", file.startsWith("assets/") ? FOREVER : "no-cache"));
    return Optional.of(new Answer.Whole(200, headers, known));
  }

  private static String type(String file) {
    return TYPES.getOrDefault(file.substring(file.lastIndexOf('.') + 1), "");
  }

  private static byte @org.jspecify.annotations.Nullable [] load(String file) {
    try (var in = PageFiles.class.getResourceAsStream("files/" + file)) {
      return in == null ? null : in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
