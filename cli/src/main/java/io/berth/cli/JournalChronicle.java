package io.berth.cli;

import io.berth.answers.plan.Chronicle;
import io.berth.api.ObjectReference;
import io.berth.api.Pod;
import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.conformance.JournalLine;
import io.berth.engine.Decision;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;

/// What a what-if went through, as a journal that `berth replay` reads.
final class JournalChronicle implements Chronicle, AutoCloseable {

  private final OutputStream out;

  /// `head` is the first line: the seed and the configuration of the scheduler.
  JournalChronicle(Path file, Tree head) throws IOException {
    this.out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 16);
    write(head);
  }

  @Override
  public void put(Supplier<Tree> object) {
    write(Tree.of("put", object.get()));
  }

  @Override
  public void removed(ObjectReference object) {
    write(
        Tree.of("removed", "%s/%s/%s".formatted(object.kind(), object.namespace(), object.name())));
  }

  @Override
  public void decided(Pod pod, Decision decision) {
    write(JournalLine.decided(pod, decision, List.of()));
  }

  @Override
  public void assumed(Pod pod, String node) {
    write(Tree.of("assumed", pod.key(), "node", node));
  }

  @Override
  public void nominated(Pod pod, String node) {
    write(Tree.of("nominated", pod.key(), "node", node));
  }

  private void write(Tree line) {
    try {
      out.write(Json.write(line));
      out.write('\n');
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    out.close();
  }
}
