package io.berth.server.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The key files of a data folder: on disk before they are used, and proven when they are read.
class KeyFilesTest {

  @TempDir private Path temporary = Path.of("");

  @Test
  void keysAreSyncedBeforeTheyAreUsed() throws Exception {
    var folder = temporary.resolve("pki");
    try (var recording = new Recording()) {
      recording.enable("jdk.FileForce").withoutThreshold();
      recording.start();
      var _ = Authority.open(folder).tokenKey();
      recording.stop();
      var file = temporary.resolve("recording.jfr");
      recording.dump(file);

      assertThat(synced(file))
          .contains(".ca.key.new", ".ca.crt.new", ".sa.key.new", "pki", temporary.toString());
    }
  }

  private static List<String> synced(Path recording) throws Exception {
    var synced = new ArrayList<String>();
    for (var event : RecordingFile.readAllEvents(recording)) {
      var path = Path.of(event.getString("path"));
      synced.add(path.toString());
      synced.add(path.getFileName().toString());
    }
    return synced;
  }

  @Test
  void theyStayTheSame() {
    var folder = temporary.resolve("pki");
    var first = Authority.open(folder);
    var key = first.tokenKey();

    var second = Authority.open(folder);

    assertThat(second.certificate()).isEqualTo(first.certificate());
    assertThat(second.tokenKey()).isEqualTo(key);
    assertThat(Authority.damages(folder)).isEmpty();
  }

  @Test
  void theKeyOfAnotherAuthorityIsRefused() throws Exception {
    var folder = temporary.resolve("pki");
    Authority.open(folder);
    Authority.open(temporary.resolve("other"));
    Files.writeString(
        folder.resolve("ca.key"), Files.readString(temporary.resolve("other/ca.key")));

    assertThatThrownBy(() -> Authority.open(folder))
        .isInstanceOf(DamagedKeyException.class)
        .hasMessageContainingAll("ca.key is not the key of ca.crt", "move " + folder + " away");
  }

  @Test
  void aLostFileIsNotMadeAnew() throws Exception {
    for (var name : List.of("ca.crt", "ca.key")) {
      var folder = temporary.resolve(name);
      Authority.open(folder);
      Files.delete(folder.resolve(name));

      assertThatThrownBy(() -> Authority.open(folder)).hasMessageContaining(name + " is missing");
    }
  }
}
