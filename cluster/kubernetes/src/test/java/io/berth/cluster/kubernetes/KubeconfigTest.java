package io.berth.cluster.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class KubeconfigTest {

  @TempDir Path folder;

  record Case(String name, String user, String expected) {}

  static final List<Case> USERS =
      List.of(
          new Case("token", "{token: abc}", "Bearer abc"),
          new Case("token file", "{tokenFile: token}", "Bearer from-file"),
          new Case("password", "{username: me, password: secret}", "Basic bWU6c2VjcmV0"),
          new Case(
              "program",
              "{exec: {apiVersion: client.authentication.k8s.io/v1, command: ./login, args: [x]}}",
              "Bearer x-said"));

  @ParameterizedTest(name = "{0}")
  @FieldSource("USERS")
  void logsInBy(Case c) throws Exception {
    Files.writeString(folder.resolve("token"), "from-file\n");
    var program = folder.resolve("login");
    Files.writeString(
        program, "#!/bin/sh\necho \"{\\\"status\\\":{\\\"token\\\":\\\"$1-said\\\"}}\"\n");
    assertThat(program.toFile().setExecutable(true)).isTrue();

    var access = Access.kubeconfig(file("http://h:1", c.user()), "");

    assertThat(access.credentials().header()).isEqualTo(c.expected());
    assertThat(access.namespace()).isEqualTo("shop");
  }

  static final List<Case> MISTAKES =
      List.of(
          new Case("no scheme", "h:1", "is no https:// or http:// address"),
          new Case("empty", "\"\"", "invalid configuration: no server found for cluster \"c\""));

  @ParameterizedTest(name = "{0}")
  @FieldSource("MISTAKES")
  void saysWhatIsWrongWithAServer(Case c) throws Exception {
    var file = file(c.user(), "{}");

    assertThatThrownBy(() -> Access.kubeconfig(file, ""))
        .isInstanceOf(AccessException.class)
        .hasMessageContaining(c.expected());
  }

  @Test
  void aContextThatIsNotThereIsNamed() throws Exception {
    var file = file("https://h", "{}");

    assertThatThrownBy(() -> Access.kubeconfig(file, "other"))
        .isInstanceOf(AccessException.class)
        .hasMessageContaining("context \"other\" does not exist");
  }

  @Test
  void outsideOfAClusterThereIsNoServiceAccount() {
    assertThatThrownBy(() -> Access.inCluster(Map.of(), folder))
        .isInstanceOf(AccessException.class)
        .hasMessageStartingWith("unable to load in-cluster configuration");
  }

  private Path file(String server, String user) throws Exception {
    return Files.writeString(
        folder.resolve("config"),
        """
        clusters:
        - {name: c, cluster: {server: %s}}
        users:
        - {name: u, user: %s}
        contexts:
        - {name: x, context: {cluster: c, user: u, namespace: shop}}
        current-context: x
        """
            .formatted(server, user));
  }
}
