package io.berth.cli;

import io.berth.answers.source.Manifest;
import io.berth.api.ObjectReference;
import io.berth.api.SchedulerConfiguration;
import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.codec.SchedulerConfigurationReader;
import io.berth.codec.SyntaxException;
import io.berth.conformance.JournalReplay;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The cluster as a scheduler knew it when it took one of the decisions in its journal.
final class JournalSurvey {

  private final int at;
  private final Map<ObjectReference, Tree> objects = new LinkedHashMap<>();
  private Tree head = new Tree();
  private int decisions;

  private JournalSurvey(int at) {
    this.at = at;
  }

  /// `at` counts decisions from 1; empty means the last one.
  static Surveys.Found read(Path path, String at) {
    var survey = new JournalSurvey(at.isEmpty() ? Integer.MAX_VALUE : number(at));
    for (var file : files(path)) {
      survey.read(file);
    }
    if (survey.decisions < survey.at && !at.isEmpty()) {
      throw UserError.usage(
          "--at %s: the journal has %d decisions".formatted(at, survey.decisions));
    }
    return survey.found();
  }

  private static int number(String at) {
    try {
      int number = Integer.parseInt(at);
      if (number > 0) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Falls through to the refusal.
    }
    throw UserError.usage("--at '%s' is no decision; they count from 1".formatted(at));
  }

  private static List<Path> files(Path path) {
    if (!Files.isDirectory(path)) {
      return List.of(path);
    }
    try (var files = Files.list(path)) {
      return files.filter(JournalFile::isJournal).sorted().toList();
    } catch (IOException e) {
      throw UserError.usage("%s: cannot be read: %s".formatted(path, e.getMessage()));
    }
  }

  private void read(Path file) {
    int number = 0;
    try (var lines = JournalFile.open(file)) {
      for (var text = lines.readLine(); text != null && decisions < at; text = lines.readLine()) {
        number++;
        take(Json.read(text));
      }
    } catch (IOException e) {
      throw UserError.usage("%s: cannot be read: %s".formatted(file, e.getMessage()));
    } catch (SyntaxException | IllegalArgumentException e) {
      throw UserError.usage("%s:%d: %s".formatted(file, number, e.getMessage()));
    }
  }

  private void take(Tree line) {
    if (JournalReplay.isHead(line)) {
      head = line;
      // Each file begins with all that is known.
      objects.clear();
    } else if (line.get("put") instanceof Tree object) {
      objects.put(Manifest.ofCluster(object).reference(), object);
    } else if (line.has("removed")) {
      objects.remove(reference(line.textOrEmpty("removed")));
    } else if (line.has("decided")) {
      decisions++;
    } else if (line.has("group")) {
      decisions += line.trees("group").size();
    } else if (line.has("assumed")) {
      change(line.textOrEmpty("assumed"), "spec", "nodeName", line.textOrEmpty("node"));
    } else if (line.has("forgotten")) {
      change(line.textOrEmpty("forgotten"), "spec", "nodeName", null);
    } else if (line.has("nominated")) {
      var node = line.textOrEmpty("node");
      change(
          line.textOrEmpty("nominated"),
          "status",
          "nominatedNodeName",
          node.isEmpty() ? null : node);
    } else {
      throw new IllegalArgumentException("no line of a journal");
    }
  }

  private static ObjectReference reference(String removed) {
    var parts = removed.split("/", 3);
    return parts.length == 2
        ? new ObjectReference(parts[0], "", parts[1])
        : new ObjectReference(parts[0], parts[1], parts[2]);
  }

  private void change(String pod, String part, String field, @Nullable String value) {
    int slash = pod.indexOf('/');
    var reference = ObjectReference.pod(pod.substring(0, slash), pod.substring(slash + 1));
    objects.computeIfPresent(
        reference,
        (_, known) -> {
          var changed = known.copy();
          if (value == null) {
            changed.child(part).remove(field);
          } else {
            changed.child(part).put(field, value);
          }
          return changed;
        });
  }

  private Surveys.Found found() {
    var manifests = new ArrayList<Manifest>();
    objects.values().forEach(object -> manifests.add(Manifest.ofCluster(object)));
    return new Surveys.Found(
        manifests, List.of(), String.valueOf(decisions), configuration(), head.number(1, "seed"));
  }

  private SchedulerConfiguration configuration() {
    var config = head.tree("config");
    var read =
        config == null ? SchedulerConfiguration.DEFAULT : SchedulerConfigurationReader.read(config);
    var name = head.textOrEmpty("schedulerName");
    return name.isEmpty() ? read : read.withSchedulerName(name);
  }
}
