package io.berth.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A secret that a cluster keeps is nowhere that others can look: no file that they may open, no
/// command line, no audit line. The folder is one that its owner has left open to all.
class SecretsTest {

  private static final String SECRET = "canary-4f1d83";
  private static final String ENCODED =
      Base64.getEncoder().encodeToString(SECRET.getBytes(StandardCharsets.UTF_8));

  @TempDir private Path folder = Path.of("");

  @Test
  void staySecret() throws Exception {
    var data = folder.resolve("data");
    Files.createDirectory(
        data, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
    try (var cluster = ClusterProcess.start(folder, "--data", data.toString());
        var client = cluster.client()) {
      var path = "/api/v1/namespaces/default/secrets";
      var body =
          "{\"metadata\":{\"name\":\"s\"},\"stringData\":{\"key\":\"%s\"}}".formatted(SECRET);
      assertThat(send(client, "POST", path, body)).isEqualTo(201);
      assertThat(send(client, "PUT", path + "/s", body.replace("key", "key/")))
          .as("refused, with the secret in the request")
          .isEqualTo(422);
      var saved = folder.resolve("saved.berth");
      new MachineSnapshots().save(cluster.kubeconfig(), saved);

      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(saved)))
          .isEqualTo("rw-------");
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(cluster.kubeconfig())))
          .isEqualTo("rw-------");
      assertThat(cluster.process().info().commandLine().orElse(""))
          .doesNotContain("PRIVATE KEY")
          .doesNotContain(SECRET);
    }
    for (var file : openToOthers(data)) {
      assertThat(Files.readString(file, StandardCharsets.ISO_8859_1))
          .as(file.toString())
          .doesNotContain(SECRET)
          .doesNotContain(ENCODED)
          .doesNotContain("PRIVATE KEY");
    }
    assertThat(audit(data)).contains("/secrets").doesNotContain(SECRET).doesNotContain(ENCODED);
  }

  private static int send(AdminClient client, String method, String path, String body)
      throws Exception {
    var request =
        HttpRequest.newBuilder(URI.create(client.server() + path))
            .header("Content-Type", "application/json")
            .method(method, BodyPublishers.ofString(body))
            .build();
    return client.http().send(request, BodyHandlers.ofString()).statusCode();
  }

  /// The files below a folder that other users of the machine can open.
  private static Set<Path> openToOthers(Path folder) throws IOException {
    var open = new TreeSet<Path>();
    try (var files = Files.list(folder)) {
      for (var file : files.toList()) {
        var rights = Files.getPosixFilePermissions(file);
        if (Files.isDirectory(file) && rights.contains(PosixFilePermission.OTHERS_EXECUTE)) {
          open.addAll(openToOthers(file));
        } else if (Files.isRegularFile(file) && rights.contains(PosixFilePermission.OTHERS_READ)) {
          open.add(file);
        }
      }
    }
    return open;
  }

  private static String audit(Path data) throws IOException {
    try (var files = Files.walk(data)) {
      var file =
          files
              .filter(each -> each.getFileName().toString().equals("audit.log"))
              .findFirst()
              .orElseThrow();
      return Files.readString(file);
    }
  }
}
