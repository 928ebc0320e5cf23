package io.berth.app;

import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.codec.SyntaxException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The workload API's audit log in a file of the data folder, so that it outlives the process: one
/// line of JSON for each entry, readable by its owner. A full file is kept as `.1`.
///
/// A disk that takes no more costs entries and is reported; it does not end the service.
final class WorkloadAudit implements Consumer<Tree>, AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(WorkloadAudit.class);
  private static final long MAX_BYTES = 8L << 20;
  private static final int READ_AGAIN = 10_000;

  private final Path file;
  private final Path full;
  // Guarded by this.
  private @Nullable OutputStream out;
  private long written;

  WorkloadAudit(Path file) {
    this.file = file;
    this.full = file.resolveSibling(file.getFileName() + ".1");
  }

  /// The last of what was written before, oldest first. A line that a crash cut off is left out.
  List<Tree> earlier() {
    var lines = new ArrayList<String>();
    for (var each : List.of(full, file)) {
      if (Files.exists(each)) {
        try (var all = Files.lines(each)) {
          all.forEach(lines::add);
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    }
    var entries = new ArrayList<Tree>();
    for (var line : lines.subList(Math.max(0, lines.size() - READ_AGAIN), lines.size())) {
      read(line, entries);
    }
    return entries;
  }

  private static void read(String line, List<Tree> entries) {
    try {
      if (!line.isEmpty()) {
        entries.add(Json.read(line.getBytes(StandardCharsets.UTF_8)).freeze());
      }
    } catch (SyntaxException e) {
      log.warn("the audit log has a line that was not written to its end");
    }
  }

  @Override
  public synchronized void accept(Tree entry) {
    try {
      var line = (Json.text(entry) + "\n").getBytes(StandardCharsets.UTF_8);
      if (out != null && written + line.length > MAX_BYTES) {
        out.close();
        out = null;
        Files.move(file, full, StandardCopyOption.REPLACE_EXISTING);
      }
      if (out == null) {
        out = open();
      }
      out.write(line);
      written += line.length;
    } catch (IOException e) {
      log.error("the audit log cannot be written", e);
    }
  }

  // What a crash cut off ends here, so that the next line is one.
  private OutputStream open() throws IOException {
    if (!Files.exists(file)) {
      Files.createFile(
          file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    }
    written = Files.size(file);
    var opened = Files.newOutputStream(file, StandardOpenOption.APPEND);
    if (written > 0) {
      opened.write('\n');
    }
    return opened;
  }

  @Override
  public synchronized void close() {
    try {
      if (out != null) {
        out.close();
      }
    } catch (IOException e) {
      log.error("the audit log cannot be closed", e);
    }
  }
}
