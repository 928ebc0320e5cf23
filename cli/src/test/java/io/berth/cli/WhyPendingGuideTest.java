package io.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Runs the sessions of `docs/guides/why-pending.md`: what is printed there is what berth prints.
class WhyPendingGuideTest {

  private static final Pattern FILE = Pattern.compile("(?ms)^```yaml\\n# (\\S+)\\n(.*?)^```");
  private static final Pattern SESSION = Pattern.compile("(?ms)^```console\\n(.*?)^```");

  @TempDir Path folder;

  @Test
  void printsWhatTheGuideShows() throws Exception {
    var guide =
        Files.readString(
            Path.of(System.getProperty("berth.root", ".."), "docs", "guides", "why-pending.md"));
    var files = FILE.matcher(guide);
    while (files.find()) {
      Files.writeString(folder.resolve(files.group(1)), files.group(2));
    }
    var sessions = SESSION.matcher(guide);
    int run = 0;
    while (sessions.find()) {
      run += check(sessions.group(1));
    }
    assertThat(run).isEqualTo(2);
  }

  private int check(String session) throws Exception {
    var expected = new ArrayList<String>();
    var printed = new ArrayList<String>();
    int run = 0;
    for (var line : session.lines().toList()) {
      if (line.startsWith("$ berth ")) {
        printed.addAll(berth(line.substring("$ berth ".length())));
        run++;
      } else if (line.startsWith("$ sed ")) {
        smaller();
      } else {
        expected.add(line);
      }
    }
    assertThat(String.join("\n", printed)).isEqualTo(String.join("\n", expected));
    return run;
  }

  private void smaller() throws Exception {
    var text = Files.readString(folder.resolve("web.yaml"));
    Files.writeString(folder.resolve("smaller.yaml"), text.replace("cpu: \"2\"", "cpu: 1500m"));
  }

  private List<String> berth(String line) {
    var arguments = new ArrayList<String>();
    for (var word : line.split(" ", -1)) {
      arguments.add(word.endsWith(".yaml") ? folder.resolve(word).toString() : word);
    }
    var out = new ByteArrayOutputStream();
    var err = new ByteArrayOutputStream();
    ExplainTest.cli().run(arguments, new PrintStream(out, true), new PrintStream(err, true));
    assertThat(err.toString(StandardCharsets.UTF_8)).isEmpty();
    return out.toString(StandardCharsets.UTF_8).lines().toList();
  }
}
