package io.berth.app;

import io.berth.api.Tree;
import io.berth.codec.Yaml;
import io.berth.server.identity.Authority;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;

/// The administrator's kubeconfig: who to talk to, whom to trust, and a client certificate.
final class Kubeconfig {

  private static final String NAME = "berth";

  private Kubeconfig() {}

  static void write(Path file, String server, Authority authority) throws IOException {
    var parent = file.getParent();
    if (parent != null) {
      Files.createDirectories(parent);
    }
    Authority.writePrivate(file, text(server, authority));
  }

  private static String text(String server, Authority authority) {
    var admin = authority.client("kubernetes-admin", List.of("system:masters"));
    var cluster =
        Tree.of("certificate-authority-data", base64(authority.certificatePem()), "server", server);
    var user =
        Tree.of(
            "client-certificate-data", base64(admin.certificatePem()),
            "client-key-data", base64(admin.keyPem()));
    return Yaml.write(
        Tree.of(
            "apiVersion",
            "v1",
            "kind",
            "Config",
            "clusters",
            List.of(Tree.of("name", NAME, "cluster", cluster)),
            "users",
            List.of(Tree.of("name", NAME + "-admin", "user", user)),
            "contexts",
            List.of(
                Tree.of(
                    "name", NAME, "context", Tree.of("cluster", NAME, "user", NAME + "-admin"))),
            "current-context",
            NAME,
            "preferences",
            new Tree()));
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }
}
