package io.berth.conformance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// The real kube-scheduler behind a command that reads unanswered cases and writes answered ones.
final class KubeScheduler {

  private static final int SHOWN = 500;

  private final String command;

  KubeScheduler(String command) {
    this.command = command;
  }

  /// `cases` by id; `complaints` is what the command said about those it left out.
  record Answers(Map<String, Case> cases, String complaints) {}

  /// Asks about the cases. One that kube-scheduler itself leaves to chance is not among the
  /// answers; a command that answers nothing at all is broken, and an [IOException].
  Answers answer(List<Case> asked) throws IOException, InterruptedException {
    var folder = Files.createTempDirectory("kube-scheduler");
    var in = folder.resolve("asked.jsonl");
    var out = folder.resolve("answered.jsonl");
    var errors = folder.resolve("errors");
    try {
      try (var stream = Files.newOutputStream(in)) {
        for (var each : asked) {
          CaseFile.write(each, stream);
        }
      }
      int code =
          new ProcessBuilder(command)
              .redirectInput(in.toFile())
              .redirectOutput(out.toFile())
              .redirectError(errors.toFile())
              .start()
              .waitFor();
      var answered = read(out);
      var complaints = Files.readString(errors);
      if (answered.isEmpty() && asked.size() > 1) {
        throw new IOException(
            "%s answered none of %d cases, exit code %d: %s"
                .formatted(command, asked.size(), code, shortened(complaints)));
      }
      return new Answers(answered, ownLines(complaints));
    } finally {
      for (var file : List.of(in, out, errors, folder)) {
        Files.deleteIfExists(file);
      }
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

  // The scheduler itself logs there as well.
  private static String ownLines(String text) {
    return text.lines()
        .filter(line -> line.startsWith("line "))
        .map(line -> shortened(line) + "\n")
        .collect(Collectors.joining());
  }

  private static String shortened(String text) {
    return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "…";
  }
}
