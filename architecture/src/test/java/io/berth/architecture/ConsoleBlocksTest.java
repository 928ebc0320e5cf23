package io.berth.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// Every `$ berth …` line in a fenced `console` block of the documents runs, and prints what the
/// block shows; a line `…` stands for any number of lines.
class ConsoleBlocksTest {

  private static final Pattern BLOCK = Pattern.compile("(?ms)^```console\\n(.*?)^```");

  @TestFactory
  Stream<DynamicTest> consoleBlocks() throws Exception {
    var tests = new ArrayList<DynamicTest>();
    for (var document : Tree.filesEndingIn(".md")) {
      BLOCK
          .matcher(Files.readString(document))
          .results()
          .flatMap(block -> steps(block.group(1)).stream())
          .filter(ConsoleBlocksTest::runsAlone)
          .forEach(step -> tests.add(test(document, step)));
    }
    return tests.stream();
  }

  private static DynamicTest test(Path document, Step step) {
    var name = Tree.root().relativize(document) + ": " + step.command();
    return DynamicTest.dynamicTest(
        name, () -> assertThat(output(step.command())).matches(shown(step.output())));
  }

  // What serves until it is stopped is run by the suites that own it.
  private static boolean runsAlone(Step step) {
    return step.command().matches("(\\./)?berth (version|help|completion|replay)\\b.*");
  }

  private static List<Step> steps(String block) {
    var steps = new ArrayList<Step>();
    for (var part : block.split("(?m)^\\$ ", -1)) {
      if (!part.isBlank()) {
        var lines = part.split("\n", 2);
        steps.add(new Step(lines[0], lines.length == 1 ? "" : lines[1]));
      }
    }
    return steps;
  }

  private static String output(String command) throws Exception {
    var words = new ArrayList<String>();
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    words.add("-XX:TieredStopAtLevel=1");
    words.add("-cp");
    words.add(System.getProperty("java.class.path"));
    words.add("io.berth.app.Main");
    words.addAll(List.of(command.split(" +")).subList(1, command.split(" +").length));
    var process =
        new ProcessBuilder(words)
            .directory(new File(Tree.root().toString()))
            .redirectErrorStream(true)
            .start();
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  // Run from classes, Berth knows its version only as "development".
  private static Pattern shown(String output) {
    var pattern =
        Pattern.quote(output)
            .replace("…\n", "\\E(?s:.*)\\Q")
            .replaceAll("berth \\d+\\.\\d+\\.\\d+", "berth \\\\E\\\\S+\\\\Q");
    return Pattern.compile(pattern);
  }

  private record Step(String command, String output) {}
}
