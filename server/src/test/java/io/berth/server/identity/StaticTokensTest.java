package io.berth.server.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StaticTokensTest {

  @TempDir private Path folder;

  @Test
  void readsUsersAndGroups() throws IOException {
    var tokens = read("# people\n\nsecret,alice,17,\"dev, ops\"\nother,bob,18\n");

    var alice = Objects.requireNonNull(tokens.find("secret"));
    assertThat(alice.name()).isEqualTo("alice");
    assertThat(alice.uid()).isEqualTo("17");
    assertThat(alice.groups()).containsExactly("dev", "ops", "system:authenticated");
    assertThat(Objects.requireNonNull(tokens.find("other")).groups())
        .containsExactly("system:authenticated");
    assertThat(tokens.find("wrong")).isNull();
    assertThat(tokens.find("")).isNull();
  }

  @Test
  void namesTheLineThatMakesNoSense() {
    assertThatThrownBy(() -> read("a,b,c\nonly,two\n"))
        .hasMessageContaining("line 2: needs token, user name and user uid");
    assertThatThrownBy(() -> read(",b,c\n")).hasMessageContaining("line 1");
    assertThatThrownBy(() -> read("a,b,c\na,d,e\n"))
        .hasMessageContaining("line 2: this token stands in the file twice");
  }

  private StaticTokens read(String text) throws IOException {
    return StaticTokens.read(Files.writeString(folder.resolve("tokens.csv"), text));
  }
}
