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

  @Test
  void refusesUnknownFormats() {
    assertThat(run("version", "-o", "xml")).isEqualTo(2);
    assertThat(text(err)).contains("xml", "table, json, yaml");
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
    assertThat(text(out)).contains("complete -c berth", "-a version");
    out.reset();
    assertThat(run("completion", "bash")).isZero();
    assertThat(text(out)).contains("complete -F");
    assertThat(run("completion", "tcsh")).isEqualTo(2);
  }

  private int run(String... arguments) {
    var commands = new ArrayList<Command>();
    var cli = new Cli[1];
    commands.add(new Help(() -> cli[0].commandLine()));
    commands.add(new Completion(() -> cli[0].commandLine()));
    commands.add(new Version());
    commands.add(new Fail());
    cli[0] = new Cli(commands, Map.of(), false);
    return cli[0].run(List.of(arguments), printing(out), printing(err));
  }

  private static PrintStream printing(ByteArrayOutputStream bytes) {
    return new PrintStream(bytes, true, StandardCharsets.UTF_8);
  }

  private static String text(ByteArrayOutputStream bytes) {
    return bytes.toString(StandardCharsets.UTF_8);
  }

  private static final class Fail implements Command {

    @Override
    public CommandSpec spec() {
      return CommandSpec.create().name("fail");
    }

    @Override
    public int run(ParseResult line, Terminal terminal) {
      throw new UserError("no such node");
    }
  }
}
