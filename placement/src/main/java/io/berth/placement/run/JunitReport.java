package io.berth.placement.run;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/// Results as JUnit writes them, which every CI reads. Without times: the same results are the same
/// bytes.
public final class JunitReport {

  private JunitReport() {}

  public static String of(List<TestResult> results) {
    var files = new LinkedHashMap<String, List<TestResult>>();
    for (var result : results) {
      files.computeIfAbsent(result.file(), _ -> new ArrayList<>()).add(result);
    }
    var xml = new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    xml.append(
        "<testsuites name=\"berth test\" tests=\"%d\" failures=\"%d\">\n"
            .formatted(results.size(), failed(results)));
    files.forEach((file, tests) -> suite(xml, file, tests));
    return xml.append("</testsuites>\n").toString();
  }

  private static void suite(StringBuilder xml, String file, List<TestResult> tests) {
    xml.append(
        "  <testsuite name=\"%s\" tests=\"%d\" failures=\"%d\" errors=\"0\" skipped=\"0\">\n"
            .formatted(escaped(file), tests.size(), failed(tests)));
    tests.forEach(test -> testCase(xml, test));
    xml.append("  </testsuite>\n");
  }

  private static void testCase(StringBuilder xml, TestResult test) {
    xml.append(
        "    <testcase classname=\"%s\" name=\"%s\" file=\"%s\" line=\"%d\""
            .formatted(
                escaped(test.file()), escaped(test.name()), escaped(test.file()), test.line()));
    if (test.passed()) {
      xml.append("/>\n");
      return;
    }
    xml.append(">\n");
    for (var failure : test.failures()) {
      xml.append(
          "      <failure type=\"%s\" message=\"%s\">%s</failure>\n"
              .formatted(
                  escaped(failure.what()),
                  escaped(failure.message()),
                  escaped(
                      "%s:%d: %s"
                          .formatted(
                              test.file(), failure.line(), String.join("\n", failure.lines())))));
    }
    xml.append("    </testcase>\n");
  }

  private static long failed(List<TestResult> results) {
    return results.stream().filter(result -> !result.passed()).count();
  }

  /// XML 1.0 has no way to write most control characters.
  private static String escaped(String text) {
    var escaped = new StringBuilder();
    text.codePoints()
        .forEach(each -> {
          switch (each) {
            case '<' -> escaped.append("&lt;");
            case '>' -> escaped.append("&gt;");
            case '&' -> escaped.append("&amp;");
            case '"' -> escaped.append("&quot;");
            case '\n' -> escaped.append("&#10;");
            default -> escaped.appendCodePoint(each < 0x20 ? 0xfffd : each);
          }
        });
    return escaped.toString();
  }
}
