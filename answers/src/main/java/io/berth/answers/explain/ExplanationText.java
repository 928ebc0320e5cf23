package io.berth.answers.explain;

import io.berth.answers.remedy.Suggestion;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// An explanation for people, as lines of text or as Markdown.
public final class ExplanationText {

  private static final int MAX_NAMES = 3;

  private final PodExplanation answer;

  public ExplanationText(PodExplanation answer) {
    this.answer = answer;
  }

  /// The answer in one or two sentences.
  public String headline() {
    var pod = answer.pod();
    return switch (answer.verdict()) {
      case FITS -> "%s fits: it would go to %s.".formatted(pod, answer.node());
      case BOUND -> "%s is on %s.".formatted(pod, answer.node());
      case GATED -> "%s is gated: %s.".formatted(pod, answer.message());
      case UNSERVED -> "%s waits for nobody: %s.".formatted(pod, answer.message());
      case FAILED -> "%s cannot be judged: %s".formatted(pod, answer.message());
      case NEVER ->
          "%s fits on none of %s. Never: no node takes it, whatever pods come or go."
              .formatted(pod, count(answer.nodes(), "node"));
      case NOT_NOW ->
          "%s fits on none of %s. Not now%s"
              .formatted(pod, count(answer.nodes(), "node"), notNow());
    };
  }

  private String notNow() {
    var opening = answer.opening();
    return opening == null
        ? "."
        : ": it would fit on %s without %s.".formatted(opening.node(), names(opening.without()));
  }

  private static String count(int number, String noun) {
    return number + " " + noun + (number == 1 ? "" : "s");
  }

  /// What stands in the way, one row for each rule and field: nodes, of these first, rule, why.
  public List<List<String>> rows() {
    var groups = new LinkedHashMap<List<String>, List<Obstruction>>();
    for (var cause : answer.causes()) {
      var key = List.of(cause.rule(), cause.reason(), cause.field(), cause.source().name());
      groups.computeIfAbsent(key, _ -> new ArrayList<>()).add(cause);
    }
    return groups.values().stream().map(this::row).toList();
  }

  private List<String> row(List<Obstruction> group) {
    var nodes = new TreeSet<String>();
    int first = 0;
    for (var cause : group) {
      nodes.addAll(cause.nodes());
      first += cause.first();
    }
    var rule = group.getFirst().rule();
    return List.of(
        String.valueOf(nodes.size()),
        String.valueOf(first),
        rule.isEmpty() ? "-" : rule,
        why(group, nodes) + blame(group));
  }

  private String why(List<Obstruction> group, Set<String> nodes) {
    Obstruction.Shortage nearest = null;
    var words = new LinkedHashSet<String>();
    for (var cause : group) {
      words.add(cause.why());
      var shortage = cause.shortage();
      if (shortage != null && (nearest == null || nearest.freeUnits() < shortage.freeUnits())) {
        nearest = shortage;
      }
    }
    if (nearest != null) {
      return "%s: asks %s, most free is %s on %s"
          .formatted(nearest.resource(), nearest.asked(), nearest.free(), nearest.node());
    }
    var source = group.getFirst().source();
    var whose =
        source.kind().equals("pod")
            ? source.name().equals(answer.pod()) ? "" : source.name() + " "
            : source.kind() + " " + source.name() + " wants ";
    return whose + list(words, "; ") + " (" + names(nodes) + ")";
  }

  private static String blame(List<Obstruction> group) {
    List<String> fewest = List.of();
    for (var cause : group) {
      if (!cause.blame().isEmpty() && (fewest.isEmpty() || cause.blame().size() < fewest.size())) {
        fewest = cause.blame();
      }
    }
    return fewest.isEmpty() ? "" : "; blame " + names(fewest);
  }

  private static String names(Iterable<String> names) {
    return list(names, ", ");
  }

  private static String list(Iterable<String> items, String separator) {
    var shown = new ArrayList<String>();
    int more = 0;
    for (var item : items) {
      if (shown.size() < MAX_NAMES) {
        shown.add(item);
      } else {
        more++;
      }
    }
    return String.join(separator, shown) + (more == 0 ? "" : separator + more + " more");
  }

  /// What helps: number, target, change, node, command.
  private List<List<String>> suggestions() {
    var rows = new ArrayList<List<String>>();
    for (int i = 0; i < answer.suggestions().size(); i++) {
      var each = answer.suggestions().get(i);
      rows.add(
          List.of(
              String.valueOf(i + 1),
              each.target().toString(),
              each.what() + evicts(each),
              "→ " + each.lands(),
              each.command() == null ? "" : each.command()));
    }
    return rows;
  }

  private static String evicts(Suggestion suggestion) {
    boolean bySelf = suggestion.target() == Suggestion.Target.PODS;
    return bySelf || suggestion.evicts().isEmpty()
        ? ""
        : ", which preempts " + names(suggestion.evicts());
  }

  /// The line above the suggestions, or what there is to say without any; `""` if nothing is.
  private String aboutSuggestions() {
    if (answer.verdict() != Outlook.NEVER && answer.verdict() != Outlook.NOT_NOW) {
      return "";
    }
    if (answer.suggestions().isEmpty()) {
      return "Nothing was found that helps, neither one step nor two.";
    }
    return answer.complete() ? "What helps, each one tried:" : "What may help:";
  }

  /// The arithmetic, a line for each rule below one for each node.
  private List<String> scores() {
    var lines = new ArrayList<String>();
    for (var sheet : answer.scores()) {
      lines.add("%s: %d".formatted(sheet.node(), sheet.total()));
      for (var rule : sheet.rules()) {
        lines.add(
            "  %-32s raw %d, normalised %d, times %d is %d%s"
                .formatted(
                    rule.rule(),
                    rule.raw(),
                    rule.normalised(),
                    rule.weight(),
                    rule.weighted(),
                    summands(rule)));
      }
    }
    return lines;
  }

  private static String summands(ScoreSheet.RuleScore rule) {
    return rule.summands().isEmpty()
        ? ""
        : rule.summands().stream()
            .map(each -> each.what() + " " + each.value())
            .collect(Collectors.joining(" + ", " (", ")"));
  }

  /// What could not be read, and other things to know.
  private List<String> notes() {
    var notes = new ArrayList<String>();
    var preemption = answer.preemption();
    if (preemption.has("node")) {
      var victims = preemption.list("victims").stream().map(String::valueOf).toList();
      notes.add(
          "The scheduler makes room on %s: it evicts %s."
              .formatted(preemption.textOrEmpty("node"), names(victims)));
    }
    boolean judged = !answer.causes().isEmpty() || !answer.scores().isEmpty();
    if (answer.verdict() == Outlook.BOUND && judged) {
      notes.add("Nodes are " + answer.message() + ".");
    }
    for (var each : answer.unread()) {
      notes.add("Not read: " + each + ". The answer may be another with it.");
    }
    return notes;
  }

  /// What follows the headline, line by line, in columns.
  public List<String> lines() {
    var lines = new ArrayList<String>();
    if (!answer.causes().isEmpty()) {
      int rule = width(rows(), 2, 4);
      var format = "%5s  %5s  %-" + rule + "s  %s";
      lines.add(format.formatted("NODES", "FIRST", "RULE", "WHY"));
      rows().forEach(row -> lines.add(format.formatted(row.toArray())));
    }
    if (!aboutSuggestions().isEmpty()) {
      lines.add(aboutSuggestions());
    }
    if (!answer.suggestions().isEmpty()) {
      var rows = suggestions();
      var format = "%2s %-4s  %-" + width(rows, 2, 1) + "s  %-" + width(rows, 3, 1) + "s  %s";
      rows.forEach(row -> lines.add(format.formatted(row.toArray()).stripTrailing()));
    }
    lines.addAll(scores());
    lines.addAll(notes());
    return lines;
  }

  private static int width(List<List<String>> rows, int column, int least) {
    return rows.stream().mapToInt(row -> row.get(column).length()).reduce(least, Math::max);
  }

  /// All of it, as a Markdown section.
  public String markdown() {
    var text = new StringBuilder("## ").append(headline()).append("\n");
    if (!answer.causes().isEmpty()) {
      table(text, List.of("Nodes", "First", "Rule", "Why"), rows());
    }
    var about = aboutSuggestions();
    if (!about.isEmpty()) {
      text.append("\n").append(about).append("\n");
    }
    if (!answer.suggestions().isEmpty()) {
      var rows = suggestions().stream().map(ExplanationText::withCode).toList();
      table(text, List.of("#", "Target", "Change", "Lands", "Command"), rows);
    }
    for (var note : notes()) {
      text.append("\n").append(note).append("\n");
    }
    return text.toString();
  }

  private static List<String> withCode(List<String> row) {
    var changed = new ArrayList<>(row);
    var command = row.getLast();
    changed.set(row.size() - 1, command.isEmpty() ? "" : "`" + command + "`");
    return changed;
  }

  private static void table(StringBuilder text, List<String> header, List<List<String>> rows) {
    text.append("\n| ").append(String.join(" | ", header)).append(" |\n|");
    text.repeat(" --- |", header.size()).append("\n");
    for (var row : rows) {
      var cells = row.stream().map(cell -> cell.replace("|", "\\|")).toList();
      text.append("| ").append(String.join(" | ", cells)).append(" |\n");
    }
  }
}
