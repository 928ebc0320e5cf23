package io.berth.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Tree;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkloadAuditTest {

  @TempDir Path folder;

  @Test
  void outlivesTheProcess() throws Exception {
    var file = folder.resolve("audit");
    try (var log = new WorkloadAudit(file)) {
      log.known(Tree.of("url", "/a"));
      log.known(Tree.of("url", "/b"));
    }
    Files.writeString(file, "{\"url\": \"/cut o", StandardOpenOption.APPEND);
    try (var log = new WorkloadAudit(file)) {
      assertThat(log.earlier()).containsExactly(Tree.of("url", "/a"), Tree.of("url", "/b"));
      log.known(Tree.of("url", "/c"));
    }

    try (var log = new WorkloadAudit(file)) {
      assertThat(log.earlier())
          .extracting(entry -> entry.text("url"))
          .containsExactly("/a", "/b", "/c");
    }
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
  }

  @Test
  void strangersPushNobodyOut() throws Exception {
    var file = folder.resolve("audit.log");
    try (var log = new WorkloadAudit(file)) {
      log.known(Tree.of("url", "/a"));
      for (int i = 0; i < 50_000; i++) {
        log.stranger(Tree.of("url", "/b".repeat(500)));
      }
    }

    assertThat(Files.readAllLines(file)).containsExactly("{\"url\":\"/a\"}");
    assertThat(Files.size(folder.resolve("audit-strangers.log"))).isLessThan(4 << 20);
  }
}
