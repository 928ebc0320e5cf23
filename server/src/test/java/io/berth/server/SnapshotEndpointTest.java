package io.berth.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.server.http.Answer;
import io.berth.store.Codec;
import io.berth.store.Key;
import io.berth.store.Settings;
import io.berth.store.Store;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SnapshotEndpointTest {

  private final Settings settings = Settings.of(new Codec(Json::write, Json::readLenient));
  @TempDir private Path folder = Path.of("");

  /// Who asks and leaves before the first byte must not leave secrets behind in a file.
  @Test
  void nothingStaysBehindWhenTheReaderLeaves() throws Exception {
    try (var store = Store.inMemory(settings)) {
      put(store);
      var before = left();

      var _ = new SnapshotEndpoint(store).answer();

      assertThat(left()).isEqualTo(before);
    }
  }

  @Test
  void whatIsSentCanBeRestored() throws Exception {
    var file = folder.resolve("snapshot");
    try (var store = Store.inMemory(settings)) {
      put(store);
      Files.write(file, sent((Answer.Stream) new SnapshotEndpoint(store).answer()));
    }
    Store.restore(file, folder.resolve("data"));
    try (var store = Store.open(folder.resolve("data"), settings).store()) {
      assertThat(store.find(new Key("", "secrets", "default", "s"))).isPresent();
    }
  }

  private static void put(Store store) {
    store.transact(t -> t.put(new Key("", "secrets", "default", "s"), Tree.of("data", "secret")));
  }

  private static byte[] sent(Answer.Stream stream) throws Exception {
    var out = new ByteArrayOutputStream();
    stream
        .frames()
        .writeTo(
            new Answer.Outlet() {
              @Override
              public void send(byte[] frame) {
                out.writeBytes(frame);
              }

              @Override
              public void onClose(Runnable action) {}
            });
    return out.toByteArray();
  }

  private static Set<Path> left() throws IOException {
    var folder = Path.of(Objects.requireNonNull(System.getProperty("java.io.tmpdir")));
    try (var files = Files.list(folder)) {
      return files
          .filter(file -> file.getFileName().toString().startsWith("berth-snapshot"))
          .collect(Collectors.toSet());
    }
  }
}
