package io.berth.answers.lint;

import io.berth.api.Tree;

/// Something wrong in a file, for its author: where, what, and what to write instead.
public record Finding(
    String rule, Severity severity, String file, int line, String message, String fix) {

  Tree toTree() {
    return Tree.of("rule", rule, "severity", severity.toString(), "file", file, "line", line)
        .put("message", message)
        .put("fix", fix);
  }
}
