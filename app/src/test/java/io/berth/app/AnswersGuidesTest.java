package io.berth.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Types what guides say and compares what comes out. A block of YAML whose first line is a remark
/// with a name is the file of that name. `-Dguides.write` writes what comes out into the guide.
class AnswersGuidesTest {

  private static final Path GUIDES =
      Path.of(System.getProperty("berth.root", ".."), "docs", "guides");
  private static final Pattern BLOCK =
      Pattern.compile(
          "(?ms)^```yaml\\n# (\\S+)\\n(.*?)^```|^```sh\\n(.*?)^```\\n\\n```\\n(.*?)^```");

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"lint.md", "what-if.md"})
  void theGuideIsTrue(String name) throws IOException {
    var guide = Files.readString(GUIDES.resolve(name));
    var block = BLOCK.matcher(guide);
    var printed = new StringBuilder();
    int commands = 0;
    while (block.find()) {
      if (block.group(1) != null) {
        Files.writeString(
            folder.resolve(block.group(1)), "# " + block.group(1) + "\n" + block.group(2));
      } else {
        commands++;
        var shown = "```sh\n%s```\n\n```\n%s```".formatted(block.group(3), typed(block.group(3)));
        block.appendReplacement(printed, Matcher.quoteReplacement(shown));
      }
    }
    block.appendTail(printed);
    if (System.getProperty("guides.write") != null) {
      Files.writeString(GUIDES.resolve(name), printed);
    }
    assertThat(commands).isPositive();
    assertThat(printed.toString()).isEqualTo(guide);
  }

  private String typed(String command) {
    var words =
        Pattern.compile(" ")
            .splitAsStream(command.strip())
            .skip(1)
            .map(
                word -> Files.exists(folder.resolve(word)) ? folder.resolve(word).toString() : word)
            .toList();
    var out = new ByteArrayOutputStream();
    var stream = new PrintStream(out, true, StandardCharsets.UTF_8);
    assertThat(Main.cli().run(words, stream, stream)).as(command).isBetween(0, 1);
    return out.toString(StandardCharsets.UTF_8).replace(folder + "/", "").replaceAll(" +\n", "\n");
  }
}
