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
      log.accept(Tree.of("url", "/a"));
      log.accept(Tree.of("url", "/b"));
    }
    Files.writeString(file, "{\"url\": \"/cut o", StandardOpenOption.APPEND);
    try (var log = new WorkloadAudit(file)) {
      assertThat(log.earlier()).containsExactly(Tree.of("url", "/a"), Tree.of("url", "/b"));
      log.accept(Tree.of("url", "/c"));
    }

    assertThat(new WorkloadAudit(file).earlier())
        .extracting(entry -> entry.text("url"))
        .containsExactly("/a", "/b", "/c");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
  }
}
