package io.berth.app;

import io.berth.api.Tree;
import io.berth.cli.UserError;
import io.berth.cli.WorkloadAnswers;
import io.berth.codec.Json;
import io.berth.codec.SyntaxException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/// Reads from a workload API over TLS, with a token for the client's secret.
final class HttpWorkloadAnswers implements WorkloadAnswers {

  private static final Duration PATIENCE = Duration.ofMinutes(1);

  @Override
  public Tree get(Login login, String path) {
    try (var client = HttpClient.newBuilder().sslContext(trusting(login.authority())).build()) {
      var token = send(client, tokenRequest(login)).textOrEmpty("accessToken");
      return send(
          client,
          HttpRequest.newBuilder(URI.create(login.url() + path))
              .header("Authorization", "Bearer " + token)
              .timeout(PATIENCE)
              .build());
    } catch (IOException e) {
      throw new UserError("cannot reach %s: %s".formatted(login.url(), e.getMessage()));
    } catch (GeneralSecurityException e) {
      throw UserError.usage("%s: %s".formatted(login.authority(), e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UserError("interrupted");
    }
  }

  private static HttpRequest tokenRequest(Login login) {
    var body =
        Tree.of(
            "grantType", "client_credentials",
            "clientId", login.clientId(),
            "clientSecret", login.clientSecret());
    return HttpRequest.newBuilder(URI.create(login.url() + "/api/v1/token"))
        .header("Content-Type", "application/json")
        .timeout(PATIENCE)
        .POST(BodyPublishers.ofByteArray(Json.write(body)))
        .build();
  }

  private static Tree send(HttpClient client, HttpRequest request)
      throws IOException, InterruptedException {
    var answer = client.send(request, BodyHandlers.ofByteArray());
    var body = read(answer.body());
    if (answer.statusCode() != 200) {
      throw new UserError(
          "%s: %d %s"
              .formatted(request.uri(), answer.statusCode(), body.textOrEmpty("message"))
              .strip());
    }
    return body;
  }

  private static Tree read(byte[] body) {
    try {
      return Json.read(body);
    } catch (SyntaxException e) {
      return new Tree();
    }
  }

  private static SSLContext trusting(Path authority) throws IOException, GeneralSecurityException {
    var store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    try (var in = Files.newInputStream(authority)) {
      store.setCertificateEntry(
          "berth", CertificateFactory.getInstance("X.509").generateCertificate(in));
    }
    var managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    managers.init(store);
    var context = SSLContext.getInstance("TLS");
    context.init(null, managers.getTrustManagers(), null);
    return context;
  }
}
