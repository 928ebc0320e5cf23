package io.berth.app;

import io.berth.api.ClusterObject;
import io.berth.api.ObjectReference;
import io.berth.api.Pod;
import io.berth.api.Tree;
import io.berth.cli.SchedulerSettings;
import io.berth.cli.UserError;
import io.berth.codec.Json;
import io.berth.conformance.JournalLine;
import io.berth.engine.Decision;
import io.berth.engine.Extension.Answers;
import io.berth.engine.Scored;
import io.berth.scheduler.Journal;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Decisions and what they followed from, in files that `berth replay` reads: JSON, a line for each
/// thing that happened.
///
/// Each file can be replayed by itself: it begins with the configuration and everything known at
/// that moment. Bounded: a file that is full is followed by the next one, and the oldest goes. A
/// disk that fails ends the journal, not the scheduler. Owned by the scheduler's loop.
final class FileJournal implements Journal, AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(FileJournal.class);

  static final long MAX_FILE_BYTES = 64L << 20;
  static final int MAX_FILES = 8;

  private final Path folder;
  private final Tree head;
  private final long maxFileBytes;
  private final Map<String, Tree> objects = new LinkedHashMap<>();
  private final Map<String, Tree> assumed = new LinkedHashMap<>();
  private final Map<String, Tree> nominated = new LinkedHashMap<>();
  private @Nullable OutputStream out;
  private long written;
  private long number;

  /// What a scheduler with these settings records; nothing where they name no folder.
  static Journal of(SchedulerSettings settings, long seed) {
    var folder = settings.journal();
    if (folder == null) {
      return Journal.NONE;
    }
    var head = Tree.of("journal", 1L, "seed", seed);
    if (settings.source() != null) {
      head.put("config", settings.source());
    }
    var profiles = settings.configuration().profiles();
    if (profiles.size() == 1) {
      head.put("schedulerName", profiles.getFirst().schedulerName());
    }
    try {
      return new FileJournal(folder, head, MAX_FILE_BYTES);
    } catch (IOException e) {
      throw new UserError("cannot write the journal in %s: %s".formatted(folder, e.getMessage()));
    }
  }

  /// `head` is what a replay needs to know about the scheduler: its configuration and seed.
  FileJournal(Path folder, Tree head, long maxFileBytes) throws IOException {
    this.folder = Files.createDirectories(folder);
    this.head = head;
    this.maxFileBytes = maxFileBytes;
    this.number = files().stream().mapToLong(FileJournal::number).max().orElse(0);
    begin();
  }

  @Override
  public void put(ClusterObject object, Tree tree) {
    objects.put(key(object.reference()), tree);
    if (object instanceof Pod pod && !pod.nodeName().isEmpty()) {
      assumed.remove(pod.key());
    }
    write(Tree.of("put", tree));
  }

  @Override
  public void removed(ObjectReference reference) {
    objects.remove(key(reference));
    if (reference.kind().equals(Pod.KIND)) {
      assumed.remove(reference.key());
      nominated.remove(reference.key());
    }
    write(Tree.of("removed", key(reference)));
  }

  @Override
  public void decided(Pod pod, Decision decision, Function<Pod, List<Scored>> best) {
    if (out != null) {
      write(JournalLine.decided(pod, decision, best.apply(pod)));
      flush();
    }
  }

  @Override
  public void extended(Pod pod, Decision decision, @Nullable Answers said) {
    write(JournalLine.extended(pod, decision, said));
    flush();
  }

  @Override
  public void groupDecided(List<Pod> pods, List<Decision> decisions, Map<String, Answers> said) {
    write(JournalLine.groupDecided(pods, decisions, said));
    flush();
  }

  @Override
  public void assumed(Pod pod, String node) {
    var line = Tree.of("assumed", pod.key(), "node", node);
    assumed.put(pod.key(), line);
    write(line);
  }

  @Override
  public void forgotten(Pod pod) {
    assumed.remove(pod.key());
    write(Tree.of("forgotten", pod.key()));
  }

  @Override
  public void nominated(Pod pod, String node) {
    var line = Tree.of("nominated", pod.key(), "node", node);
    if (node.isEmpty()) {
      nominated.remove(pod.key());
    } else {
      nominated.put(pod.key(), line);
    }
    write(line);
  }

  private void write(Tree line) {
    if (out == null) {
      return;
    }
    try {
      append(line);
      if (written >= maxFileBytes) {
        begin();
      }
    } catch (IOException e) {
      fail(e);
    }
  }

  private void append(Tree line) throws IOException {
    var bytes = Json.write(line);
    var to = out;
    if (to != null) {
      to.write(bytes);
      to.write('\n');
      written += bytes.length + 1;
    }
  }

  /// Starts a file with all that is known. What is known may be more than a file should hold: the
  /// next one begins when as much again has been written.
  private void begin() throws IOException {
    close();
    number++;
    var file = folder.resolve("journal-%06d.jsonl".formatted(number));
    out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 16);
    append(head);
    for (var object : objects.values()) {
      append(Tree.of("put", object));
    }
    for (var line : assumed.values()) {
      append(line);
    }
    for (var line : nominated.values()) {
      append(line);
    }
    written = 0;
    var files = files();
    for (int i = 0; i < files.size() - MAX_FILES; i++) {
      Files.delete(files.get(i));
    }
  }

  private List<Path> files() throws IOException {
    try (var all = Files.list(folder)) {
      return new ArrayList<>(
          all.filter(file -> file.getFileName().toString().matches("journal-\\d{6,}\\.jsonl"))
              .sorted()
              .toList());
    }
  }

  private static long number(Path file) {
    return Long.parseLong(file.getFileName().toString().replaceAll("\\D", ""));
  }

  private void flush() {
    try {
      if (out != null) {
        out.flush();
      }
    } catch (IOException e) {
      fail(e);
    }
  }

  private void fail(IOException e) {
    log.error("the journal in {} ends here: {}", folder, e.toString());
    out = null;
  }

  private static String key(ObjectReference object) {
    return "%s/%s/%s".formatted(object.kind(), object.namespace(), object.name());
  }

  @Override
  public void close() throws IOException {
    var last = out;
    out = null;
    if (last != null) {
      last.close();
    }
  }
}
