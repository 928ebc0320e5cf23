package io.berth.workloads.submit;

import java.util.ArrayList;
import java.util.List;

/// A command line as words, with the quotes of a shell.
final class Words {

  private Words() {}

  static List<String> split(String line) {
    var words = new ArrayList<String>();
    var word = new StringBuilder();
    boolean open = false;
    char quote = 0;
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      if (quote != 0) {
        if (c == quote) {
          quote = 0;
        } else {
          word.append(c == '\\' && quote == '"' && i + 1 < line.length() ? line.charAt(++i) : c);
        }
      } else if (c == '\'' || c == '"') {
        quote = c;
        open = true;
      } else if (Character.isWhitespace(c)) {
        if (open) {
          words.add(word.toString());
          word.setLength(0);
          open = false;
        }
      } else {
        word.append(c == '\\' && i + 1 < line.length() ? line.charAt(++i) : c);
        open = true;
      }
    }
    if (open) {
      words.add(word.toString());
    }
    return words;
  }
}
