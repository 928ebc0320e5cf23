package io.berth.server;

import io.berth.server.http.Answer;
import io.berth.store.Store;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Map;

/// `GET /berth/v1/snapshot`: everything in the store as one file, secrets included, for those who
/// may read this path: administrators, unless a role names it.
final class SnapshotEndpoint {

  static final String PATH = "/berth/v1/snapshot";

  private static final int FRAME_BYTES = 1 << 16;

  private final Store store;

  SnapshotEndpoint(Store store) {
    this.store = store;
  }

  Answer answer() {
    try {
      var folder = Files.createTempDirectory("berth-snapshot");
      var file = folder.resolve("snapshot");
      var report = store.save(file);
      var headers = new ArrayList<Map.Entry<String, String>>();
      headers.add(Map.entry("Content-Type", "application/octet-stream"));
      headers.add(Map.entry("Berth-Objects", String.valueOf(report.objects())));
      headers.add(Map.entry("Berth-Revision", String.valueOf(report.revision())));
      return new Answer.Stream(200, headers, outlet -> send(file, outlet));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void send(Path file, Answer.Outlet outlet) throws IOException {
    try (var in = Files.newInputStream(file)) {
      for (var frame = in.readNBytes(FRAME_BYTES);
          frame.length > 0;
          frame = in.readNBytes(FRAME_BYTES)) {
        outlet.send(frame);
      }
    } finally {
      Files.deleteIfExists(file);
      Files.deleteIfExists(file.getParent());
    }
  }
}
