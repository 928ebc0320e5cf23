package io.berth.controllers.core;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.controllers.Controller;
import io.berth.controllers.runtime.Cache;
import io.berth.controllers.runtime.Conditions;
import io.berth.controllers.runtime.Environment;
import io.berth.controllers.runtime.Key;
import io.berth.controllers.runtime.Loop;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Set;

/// Signs approved CertificateSigningRequests for clients of the API server.
///
/// Approval is left to people, and requests for other signers are left to those: simulated kubelets
/// need no certificates.
public final class CertificateSigning implements Controller {

  private static final Resource REQUESTS =
      new Resource(
          "certificates.k8s.io",
          "v1",
          "certificatesigningrequests",
          "CertificateSigningRequest",
          false);
  private static final String SIGNER = "kubernetes.io/kube-apiserver-client";
  private static final Set<String> USAGES =
      Set.of("digital signature", "key encipherment", "client auth");
  private static final long YEAR_SECONDS = Duration.ofDays(365).toSeconds();
  private static final long LEAST_SECONDS = Duration.ofMinutes(10).toSeconds();

  private final Environment environment;
  private final Signer signer;
  private final Cache requests;
  private final Loop loop;

  public CertificateSigning(Environment environment, Signer signer) {
    this.environment = environment;
    this.signer = signer;
    this.requests = environment.informers().of(REQUESTS);
    this.loop = new Loop("certificate-signing", 1, environment.timers(), this::sign);
    requests.onAny(request -> loop.add(Key.of(request)));
  }

  @Override
  public String name() {
    return "certificatesigningrequests";
  }

  @Override
  public void start() {
    loop.start();
  }

  @Override
  public void close() {
    loop.close();
  }

  private void sign(Key key) {
    var request = requests.find(key).orElse(null);
    if (request == null || !request.textOrEmpty("spec", "signerName").equals(SIGNER)) {
      return;
    }
    if (!Conditions.isTrue(request, "Approved")
        || Conditions.isTrue(request, "Denied")
        || Conditions.isTrue(request, "Failed")
        || !request.textOrEmpty("status", "certificate").isEmpty()) {
      return;
    }
    var status = request.treeOrEmpty("status").copy();
    try {
      checkUsages(request.list("spec", "usages"));
      var pem = decoded(request.textOrEmpty("spec", "request"));
      var wanted = request.number(YEAR_SECONDS, "spec", "expirationSeconds");
      var seconds = Math.clamp(wanted, LEAST_SECONDS, YEAR_SECONDS);
      status.put("certificate", encoded(signer.sign(pem, Duration.ofSeconds(seconds))));
    } catch (IllegalArgumentException e) {
      var failed =
          Conditions.of(
              "Failed", "True", "SignerValidationFailure", String.valueOf(e.getMessage()));
      failed.put("lastUpdateTime", environment.timestamp());
      Conditions.set(status, failed, environment.timestamp());
    }
    environment
        .cluster()
        .update(REQUESTS, "status", Tree.ofMap(request.fields()).put("status", status));
  }

  private static void checkUsages(List<?> usages) {
    for (var usage : usages) {
      if (!USAGES.contains(String.valueOf(usage))) {
        throw new IllegalArgumentException("invalid usage for client certificate: " + usage);
      }
    }
    if (!usages.contains("client auth")) {
      throw new IllegalArgumentException(
          "missing required usage for client certificate: client auth");
    }
  }

  private static String decoded(String base64) {
    return new String(Base64.getDecoder().decode(base64), StandardCharsets.US_ASCII);
  }

  private static String encoded(String pem) {
    return Base64.getEncoder().encodeToString(pem.getBytes(StandardCharsets.US_ASCII));
  }

  /// The cluster's certificate authority, as far as it signs for others.
  @FunctionalInterface
  public interface Signer {

    /// Signs a request; throws [IllegalArgumentException] for what is none. Both are PEM texts.
    String sign(String request, Duration validity);
  }
}
