package io.berth.cli;

import io.berth.answers.plan.PlanStep;
import io.berth.answers.plan.PlanStepException;
import io.berth.answers.plan.PlanStepReader;
import io.berth.answers.source.ManifestException;
import io.berth.codec.SyntaxException;
import io.berth.codec.Yaml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.ParseResult;

/// The steps of a line: those of its file first, then its own.
final class PlanSteps {

  private static final String FIELD = "steps:\n";

  private final Sources sources;

  PlanSteps(Sources sources) {
    this.sources = sources;
  }

  List<PlanStep> of(ParseResult line) {
    var steps = new ArrayList<PlanStep>();
    var file = Options.path(line.matchedOptionValue("--steps", ""));
    if (file != null) {
      steps.addAll(read(file, line));
    }
    try {
      steps.addAll(reader(Path.of(""), line).readAll(PlanLine.steps(line.originalArgs())));
    } catch (PlanStepException | ManifestException e) {
      throw UserError.usage(String.valueOf(e.getMessage()));
    }
    return steps;
  }

  private List<PlanStep> read(Path file, ParseResult line) {
    try {
      var folder = file.toAbsolutePath().getParent();
      return reader(folder == null ? file : folder, line).readAll(list(file));
    } catch (PlanStepException e) {
      throw UserError.usage(file + ": " + e.getMessage());
    } catch (ManifestException e) {
      throw UserError.usage(String.valueOf(e.getMessage()));
    }
  }

  // A list is no document of its own for our reader: it becomes the value of a field.
  private static List<?> list(Path file) {
    int before = 0;
    try {
      var text = Files.readString(file);
      var list = text.lines().anyMatch(each -> each.startsWith("- "));
      before = list ? 1 : 0;
      var tree = Yaml.read(list ? FIELD + text.replaceFirst("(?m)^---\\s*$", "") : text);
      if (tree.get("steps") instanceof List<?> steps) {
        return steps;
      }
      throw UserError.usage(file + ": expected a list of steps");
    } catch (IOException e) {
      throw UserError.usage("%s: cannot be read: %s".formatted(file, e.getMessage()));
    } catch (SyntaxException e) {
      throw UserError.usage(
          "%s:%d: column %d: %s".formatted(file, e.line() - before, e.column(), e.getMessage()));
    }
  }

  private PlanStepReader reader(Path folder, ParseResult line) {
    return new PlanStepReader(folder, Sources.namespace(line), sources::fleet);
  }
}
