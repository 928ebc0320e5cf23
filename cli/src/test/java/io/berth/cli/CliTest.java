package io.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.codec.Json;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

class CliTest {

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @Test
  void printsItsVersionForPeopleAndForPrograms() {
    assertThat(run("version")).isZero();
    assertThat(text(out)).startsWith("berth ");
    out.reset();

    assertThat(run("version", "-o", "json")).isZero();
    assertThat(Json.read(text(out)).text("kubernetes")).isEqualTo(BerthVersion.KUBERNETES);
  }

  @Test
  void saysWhatWasMeantWhenACommandIsUnknown() {
    assertThat(run("versoin")).isEqualTo(2);
    assertThat(text(err)).contains("unknown command 'versoin'", "version", "berth --help");
  }

  @Test
  void saysWhatWasMeantWhenAFlagIsUnknown() {
    assertThat(run("version", "--outptu", "json")).isEqualTo(2);
    assertThat(text(err)).contains("unknown flag '--outptu'", "--output", "berth version --help");
  }

  record Wrong(String line, String message) {}

  static final List<Wrong> WRONG =
      List.of(
          new Wrong(
              "version -o xml",
              "invalid value for option '--output': 'xml' is no output format; use one of table,"
                  + " json, yaml"),
          new Wrong(
              "version --log-format xml",
              "invalid value for option '--log-format': 'xml' is no format of log lines; use one of"
                  + " text, json"),
          new Wrong("version --otuput json", "Did you mean '--output'?"),
          new Wrong("--version", "Did you mean 'version'?"),
          new Wrong("version again", "unexpected argument 'again' for 'berth version'"),
          new Wrong("completion", "missing required parameter: 'bash|zsh|fish'"),
          new Wrong("completion bash zsh", "unexpected argument 'zsh' for 'berth completion'"));

  @ParameterizedTest(name = "{0}")
  @FieldSource("WRONG")
  void saysWhatIsWrongWithALine(Wrong wrong) {
    assertThat(run(wrong.line().split(" "))).isEqualTo(2);
    assertThat(text(err)).contains(wrong.message()).contains("--help' for what it takes.");
    assertThat(text(out)).isEmpty();
  }

  @Test
  void suggestsNothingThatIsFarOffOrHidden() {
    assertThat(run("frobnicate")).isEqualTo(2);
    assertThat(text(err)).doesNotContain("Did you mean");
    err.reset();
    assertThat(run("hiden")).isEqualTo(2);
    assertThat(text(err)).doesNotContain("Did you mean");
  }

  @Test
  void printsAMistakeOfTheUserInOneLine() {
    assertThat(run("fail")).isEqualTo(1);
    assertThat(text(err)).isEqualTo("berth: no such node\n");
  }

  @Test
  void explainsCommandsAndCompletesThem() {
    assertThat(run("help", "version")).isZero();
    assertThat(text(out)).contains("Examples:");
    out.reset();
    assertThat(run("completion", "fish")).isZero();
    assertThat(text(out))
        .contains("complete -c berth -n '__fish_use_subcommand' -a version")
        .contains("'__fish_seen_subcommand_from completion' -a 'bash zsh fish'")
        .contains("-s o -l output -x -a 'table json yaml'")
        .doesNotContain("hidden");
    out.reset();
    assertThat(run("completion", "bash")).isZero();
    assertThat(text(out)).contains("complete -F").doesNotContain("hidden");
    assertThat(run("completion", "tcsh")).isEqualTo(2);
  }

  private int run(String... arguments) {
    var commands = new ArrayList<Command>();
    var cli = new Cli[1];
    commands.add(new Help(() -> cli[0].commandLine()));
    commands.add(new Completion(() -> cli[0].commandLine()));
    commands.add(new Version());
    commands.add(new Fail("fail", false));
    commands.add(new Fail("hidden", true));
    cli[0] = new Cli(commands, Map.of(), false);
    return cli[0].run(List.of(arguments), printing(out), printing(err));
  }

  private static PrintStream printing(ByteArrayOutputStream bytes) {
    return new PrintStream(bytes, true, StandardCharsets.UTF_8);
  }

  private static String text(ByteArrayOutputStream bytes) {
    return bytes.toString(StandardCharsets.UTF_8);
  }

  private record Fail(String name, boolean hidden) implements Command {

    @Override
    public CommandSpec spec() {
      var spec = CommandSpec.create().name(name);
      spec.usageMessage().hidden(hidden);
      return spec;
    }

    @Override
    public int run(ParseResult line, Terminal terminal) {
      throw new UserError("no such node");
    }
  }
}
