package io.berth.cli;

import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.codec.Yaml;
import java.io.PrintStream;
import java.util.List;

/// Where a command writes: results to one stream, everything about them to the other.
///
/// Colours and progress appear only where `colours` says that a person is watching.
public record Terminal(
    PrintStream out, PrintStream err, Format format, boolean quiet, boolean colours) {

  /// What `-o` asked for.
  public enum Format {
    TABLE,
    JSON,
    YAML,
    MARKDOWN
  }

  /// One line of result.
  public void line(String line) {
    out.println(line);
  }

  /// One line about the work; silent with `--quiet`.
  public void note(String line) {
    if (!quiet) {
      err.println(line);
    }
  }

  /// A result as JSON or YAML when `-o` asks for it; `false` when the caller is to print for
  /// people.
  public boolean document(Tree document) {
    switch (format) {
      case TABLE, MARKDOWN -> {
        return false;
      }
      case JSON -> out.println(Json.pretty(document));
      case YAML -> out.print(Yaml.write(document));
    }
    return true;
  }

  /// Rows in columns that are as wide as they need to be, as kubectl aligns them.
  public void table(List<String> header, List<List<String>> rows) {
    var widths = new int[header.size()];
    widen(widths, header);
    rows.forEach(row -> widen(widths, row));
    out.println(aligned(header, widths));
    rows.forEach(row -> out.println(aligned(row, widths)));
  }

  /// The same rows as a table of Markdown.
  public void markdown(List<String> header, List<List<String>> rows) {
    out.println();
    out.println("| " + String.join(" | ", header) + " |");
    out.println("|" + " --- |".repeat(header.size()));
    for (var row : rows) {
      var cells = row.stream().map(cell -> cell.replace("|", "\\|")).toList();
      out.println("| " + String.join(" | ", cells) + " |");
    }
  }

  private static void widen(int[] widths, List<String> row) {
    for (int i = 0; i < widths.length; i++) {
      widths[i] = Math.max(widths[i], row.get(i).length());
    }
  }

  private static String aligned(List<String> row, int[] widths) {
    var line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      line.append(row.get(i));
      line.repeat(' ', i == widths.length - 1 ? 0 : widths[i] - row.get(i).length() + 3);
    }
    return line.toString();
  }

  public String good(String text) {
    return wrap(text, "32");
  }

  public String bad(String text) {
    return wrap(text, "31");
  }

  /// What the reader is to type.
  public String strong(String text) {
    return wrap(text, "1");
  }

  /// What belongs together has one number; 0 has no colour.
  public String tinted(String text, int number) {
    return number == 0 ? text : wrap(text, String.valueOf(31 + (number - 1) % 6));
  }

  private String wrap(String text, String code) {
    return colours ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
  }
}
