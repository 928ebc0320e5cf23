package io.berth.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.api.FeatureGates;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cli.LocalCluster;
import io.berth.cli.LocalCluster.CredentialFiles;
import io.berth.cli.LocalCluster.Simulation;
import io.berth.cli.Port;
import io.berth.cli.SchedulerSettings;
import io.berth.cli.UserError;
import io.berth.cluster.Cluster.Selection;
import io.berth.server.identity.Authority;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A cluster whose certificates somebody else makes, as test environments of operators do.
class GivenCredentialsTest {

  private static final String LOOPBACK = "127.0.0.1";
  private static final String TRUST = "extension-apiserver-authentication";

  @TempDir private Path folder;

  private final Authority ofServers = Authority.open(null);
  private final Authority ofClients = Authority.open(null);

  @Test
  void itShowsTheGivenCertificateAndLetsTheGivenClientsIn() throws Exception {
    var identity = ofServers.server(List.of(LOOPBACK));
    var files =
        new CredentialFiles(
            null,
            write("server.crt", identity.certificatePem()),
            write("server.key", identity.keyPem()),
            write("clients.crt", ofClients.certificatePem()));

    try (var running = EmbeddedCluster.start(options(files))) {
      var url = running.facts().textOrEmpty("server");
      try (var admin = RealCluster.connect(kubeconfig(url), "", "test", Set.of())) {
        assertThat(admin.list(Resource.NAMESPACES, "", Selection.ALL).items())
            .extracting(namespace -> namespace.text("metadata", "name"))
            .contains("default");
        assertThat(trusted(admin.fetch(Resource.CONFIG_MAPS, "kube-system", TRUST)))
            .contains(ofClients.certificatePem().strip());
      }
    }
  }

  private static String trusted(Tree map) {
    return map.texts("data").getOrDefault("client-ca-file", "");
  }

  @Test
  void whatCannotBeReadEndsTheStart() throws IOException {
    var files = new CredentialFiles(null, null, null, write("clients.crt", "nonsense"));

    assertThatThrownBy(() -> EmbeddedCluster.start(options(files)))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("cannot read the certificate in");
  }

  private Path write(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  private LocalCluster.Options options(CredentialFiles files) {
    return new LocalCluster.Options(
        folder.resolve("cluster"),
        true,
        LOOPBACK,
        Port.any(),
        folder.resolve("kubeconfig"),
        true,
        Simulation.DEFAULT,
        SchedulerSettings.DEFAULT,
        LocalCluster.AdmissionOptions.DEFAULT,
        Port.any(),
        files,
        FeatureGates.DEFAULT);
  }

  private Path kubeconfig(String url) throws IOException {
    var admin = ofClients.client("admin", List.of("system:masters"));
    return write(
        "admin.kubeconfig",
        """
        apiVersion: v1
        kind: Config
        clusters:
        - {name: c, cluster: {server: "%s", certificate-authority-data: %s}}
        users:
        - {name: u, user: {client-certificate-data: %s, client-key-data: %s}}
        contexts:
        - {name: x, context: {cluster: c, user: u}}
        current-context: x
        """
            .formatted(
                url,
                base64(ofServers.certificatePem()),
                base64(admin.certificatePem()),
                base64(admin.keyPem())));
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }
}
