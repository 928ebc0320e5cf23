package io.berth.conformance.random;

import io.berth.conformance.Case;
import io.berth.conformance.CaseFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The real kube-scheduler behind a command that reads unanswered cases and writes answered ones.
final class KubeScheduler {

  private final String command;

  KubeScheduler(String command) {
    this.command = command;
  }

  /// The answered cases by id. A case that kube-scheduler itself leaves to chance is not among
  /// them.
  Map<String, Case> answer(List<Case> asked) throws IOException, InterruptedException {
    var in = Files.createTempFile("asked", ".jsonl");
    var out = Files.createTempFile("answered", ".jsonl");
    try {
      try (var stream = Files.newOutputStream(in)) {
        for (var each : asked) {
          CaseFile.write(each, stream);
        }
      }
      new ProcessBuilder(command)
          .redirectInput(in.toFile())
          .redirectOutput(out.toFile())
          .redirectError(ProcessBuilder.Redirect.DISCARD)
          .start()
          .waitFor();
      return read(out);
    } finally {
      Files.delete(in);
      Files.delete(out);
    }
  }

  private static Map<String, Case> read(Path file) throws IOException {
    var answered = new HashMap<String, Case>();
    try {
      CaseFile.read(file, each -> answered.put(each.id(), each));
    } catch (CaseFile.FormatException e) {
      throw new IOException(e);
    }
    return answered;
  }
}
