package io.berth.app;

import io.berth.api.Tree;
import io.berth.cli.UserError;
import io.berth.codec.SyntaxException;
import io.berth.codec.Yaml;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/// HTTP with the certificate of a kubeconfig that `berth up` wrote, for what is not part of the
/// Kubernetes API.
record AdminClient(String server, HttpClient http) implements AutoCloseable {

  static AdminClient of(Path kubeconfig) {
    try {
      var config = Yaml.read(Files.readString(kubeconfig));
      var cluster = config.trees("clusters").getFirst().treeOrEmpty("cluster");
      var user = config.trees("users").getFirst().treeOrEmpty("user");
      return new AdminClient(
          cluster.textOrEmpty("server"),
          HttpClient.newBuilder().sslContext(tls(cluster, user)).build());
    } catch (IOException
        | GeneralSecurityException
        | SyntaxException
        | IllegalArgumentException
        | java.util.NoSuchElementException e) {
      throw new UserError(
          "%s is no kubeconfig that 'berth up' wrote: %s".formatted(kubeconfig, e.getMessage()));
    }
  }

  private static SSLContext tls(Tree cluster, Tree user)
      throws GeneralSecurityException, IOException {
    var trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("ca", certificate(cluster, "certificate-authority-data"));
    var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    var own = KeyStore.getInstance("PKCS12");
    own.load(null, null);
    var base64 = text(user, "client-key-data").replaceAll("-----[A-Z ]+-----|\\s", "");
    var key =
        KeyFactory.getInstance("EC")
            .generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(base64)));
    own.setKeyEntry(
        "me",
        key,
        new char[0],
        new X509Certificate[] {certificate(user, "client-certificate-data")});
    var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(own, new char[0]);
    var context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
    return context;
  }

  private static X509Certificate certificate(Tree from, String field)
      throws GeneralSecurityException {
    var pem = text(from, field).getBytes(StandardCharsets.US_ASCII);
    return (X509Certificate)
        CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(pem));
  }

  private static String text(Tree from, String field) {
    return new String(
        Base64.getDecoder().decode(from.textOrEmpty(field)), StandardCharsets.US_ASCII);
  }

  @Override
  public void close() {
    http.close();
  }
}
