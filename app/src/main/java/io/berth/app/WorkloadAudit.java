package io.berth.app;

import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.codec.SyntaxException;
import io.berth.server.AuditFile;
import io.berth.server.StrangersFile;
import io.berth.workloads.AuditSink;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The workload API's audit log in a file of the data folder, so that it outlives the process: one
/// line of JSON for each entry, readable by its owner. What strangers were refused is in a file
/// beside it.
final class WorkloadAudit implements AuditSink, AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(WorkloadAudit.class);
  private static final long MAX_BYTES = 8L << 20;
  private static final int READ_AGAIN = 10_000;

  private final Path file;
  private final AuditFile known;
  private final StrangersFile strangers;

  WorkloadAudit(Path file) throws IOException {
    this.file = file;
    this.known = AuditFile.in(file, MAX_BYTES);
    this.strangers = StrangersFile.beside(file, InstantSource.system());
  }

  /// The last of what was written before, oldest first. A line that a crash cut off is left out.
  List<Tree> earlier() {
    var lines = new ArrayList<String>();
    for (var each : List.of(AuditFile.older(file), file)) {
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
  public void known(Tree entry) {
    known.append(Json.write(entry));
  }

  @Override
  public void stranger(Tree entry) {
    strangers.append(() -> entry);
  }

  @Override
  public void close() {
    try {
      known.close();
      strangers.close();
    } catch (IOException e) {
      log.error("the audit log cannot be closed", e);
    }
  }
}
