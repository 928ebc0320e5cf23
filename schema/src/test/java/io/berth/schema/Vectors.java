package io.berth.schema;

import io.berth.api.Tree;
import io.berth.codec.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.zip.GZIPInputStream;

/// Recorded answers of Kubernetes 1.37.1, one JSON object a line.
public final class Vectors {

  private Vectors() {}

  public static List<Tree> read(String file) {
    try (var raw = Objects.requireNonNull(Vectors.class.getResourceAsStream(file), file);
        var gzip = new GZIPInputStream(raw)) {
      var text = new String(gzip.readAllBytes(), StandardCharsets.UTF_8);
      return text.lines().map(Json::read).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
