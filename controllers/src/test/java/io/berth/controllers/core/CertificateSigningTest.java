package io.berth.controllers.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.controllers.World;
import io.berth.controllers.runtime.Conditions;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CertificateSigningTest {

  private static final Resource REQUESTS =
      new Resource(
          "certificates.k8s.io",
          "v1",
          "certificatesigningrequests",
          "CertificateSigningRequest",
          false);

  private final World world =
      new World(environment ->
          new CertificateSigning(environment, (request, validity) -> request + " for " + validity))
          .start();

  @AfterEach
  void stop() {
    world.close();
  }

  @Test
  void whatIsApprovedIsSigned() {
    world.create(REQUESTS, request("one", "client auth", "digital signature"));
    approve("one");
    world.awaitObject(
        REQUESTS,
        "one",
        request -> decoded(request.textOrEmpty("status", "certificate")).equals("please for PT1H"));
  }

  @Test
  void usagesOfAServerAreRefused() {
    world.create(REQUESTS, request("one", "client auth", "server auth"));
    approve("one");
    world.awaitObject(REQUESTS, "one", request -> Conditions.isTrue(request, "Failed"));
    var failed = Objects.requireNonNull(Conditions.find(world.get(REQUESTS, "one"), "Failed"));
    assertThat(failed.text("message"))
        .isEqualTo("invalid usage for client certificate: server auth");
  }

  @Test
  void whatNobodyApprovedOrAnotherSignerIsToSignIsLeftAlone() {
    world.create(REQUESTS, request("waits", "client auth"));
    var other = request("other", "client auth");
    other.child("spec").put("signerName", "example.com/other");
    world.create(REQUESTS, other);
    approve("other");
    world.create(REQUESTS, request("last", "client auth"));
    approve("last");
    world.awaitObject(REQUESTS, "last", request -> request.text("status", "certificate") != null);
    assertThat(world.get(REQUESTS, "waits").text("status", "certificate")).isNull();
    assertThat(world.get(REQUESTS, "other").text("status", "certificate")).isNull();
  }

  private void approve(String name) {
    world.cluster.edit(
        REQUESTS,
        "",
        name,
        request ->
            Conditions.set(
                request.child("status"), Conditions.of("Approved", "True", "Test", ""), "now"));
  }

  private static Tree request(String name, String... usages) {
    var encoded = Base64.getEncoder().encodeToString("please".getBytes(StandardCharsets.US_ASCII));
    var spec =
        Tree.of("signerName", "kubernetes.io/kube-apiserver-client", "request", encoded)
            .put("expirationSeconds", 3600)
            .put("usages", List.of(usages));
    return Tree.of("metadata", Tree.of("name", name), "spec", spec);
  }

  private static String decoded(String base64) {
    return new String(Base64.getDecoder().decode(base64), StandardCharsets.US_ASCII);
  }
}
