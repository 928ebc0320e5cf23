package io.berth.placement.run;

import io.berth.api.Tree;
import java.util.List;

/// How a test went.
///
/// @param line where the test begins, from 1
/// @param failures none if it passed
public record TestResult(String name, String file, int line, List<TestFailure> failures) {

  public TestResult {
    failures = List.copyOf(failures);
  }

  public boolean passed() {
    return failures.isEmpty();
  }

  public Tree toTree() {
    return Tree.of("name", name, "file", file, "line", line, "passed", passed())
        .put("failures", failures.stream().map(TestFailure::toTree).toList());
  }
}
