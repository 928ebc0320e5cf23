package io.berth.app;

import io.berth.admission.User;
import io.berth.api.ApiException;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.kubernetes.KubernetesCluster;
import io.berth.codec.Json;
import io.berth.console.ApiRequest;
import io.berth.console.HostApi;
import io.berth.console.session.Credential;
import io.berth.server.http.Answer;
import io.berth.server.http.Call;
import io.berth.server.identity.Authenticator;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/// Any Kubernetes API, as the user of a kubeconfig: whoever is let in acts as that user, and the
/// cluster is asked what the user may do. Answers are kept for a few seconds.
final class KubeconfigHostApi implements HostApi {

  private static final Resource WHO =
      new Resource("authentication.k8s.io", "v1", "selfsubjectreviews", "SelfSubjectReview", false);
  private static final Resource MAY =
      new Resource(
          "authorization.k8s.io",
          "v1",
          "selfsubjectaccessreviews",
          "SelfSubjectAccessReview",
          false);
  private static final Duration KEPT = Duration.ofSeconds(5);
  private static final int MAX_KEPT = 10_000;

  private final KubernetesCluster cluster;
  private final InstantSource clock;
  private final String secret = UUID.randomUUID().toString();
  private final User user;
  private final Map<List<String>, Kept> kept =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<List<String>, Kept> eldest) {
          return size() > MAX_KEPT;
        }
      };

  private record Kept(boolean allowed, Instant until) {}

  KubeconfigHostApi(KubernetesCluster cluster, InstantSource clock) {
    this.cluster = cluster;
    this.clock = clock;
    this.user = User.of(name(), Authenticator.AUTHENTICATED);
  }

  private String name() {
    try {
      var review = cluster.create(WHO, object(WHO));
      return review.textOrEmpty("status", "userInfo", "username");
    } catch (ApiException e) {
      // Clusters before 1.28 do not say.
      return "the user of the kubeconfig";
    }
  }

  private static Tree object(Resource resource) {
    return Tree.of("apiVersion", resource.apiVersion(), "kind", resource.kind());
  }

  /// What stands for the user of the kubeconfig; nobody outside this process knows it.
  Credential credential() {
    return new Credential(List.of(), secret);
  }

  @Override
  public User identify(Credential credential) {
    boolean own =
        MessageDigest.isEqual(
            credential.authorization().getBytes(StandardCharsets.UTF_8),
            secret.getBytes(StandardCharsets.UTF_8));
    return own ? user : Authenticator.ANONYMOUS;
  }

  @Override
  public boolean allows(User who, String verb, Resource resource, String namespace, String name) {
    var question = List.of(verb, resource.qualified(), namespace, name);
    synchronized (kept) {
      var known = kept.get(question);
      if (known != null && clock.instant().isBefore(known.until)) {
        return known.allowed;
      }
    }
    boolean allowed = ask(verb, resource, namespace, name);
    synchronized (kept) {
      kept.put(question, new Kept(allowed, clock.instant().plus(KEPT)));
    }
    return allowed;
  }

  private boolean ask(String verb, Resource resource, String namespace, String name) {
    var attributes =
        Tree.of(
            "verb",
            verb,
            "group",
            resource.group(),
            "version",
            resource.version(),
            "resource",
            resource.plural(),
            "namespace",
            namespace,
            "name",
            name);
    var review = object(MAY).put("spec", Tree.of("resourceAttributes", attributes));
    return cluster.create(MAY, review).flag("status", "allowed");
  }

  @Override
  public Answer send(Credential credential, ApiRequest request, Call call) {
    var body = request.body() == null ? new byte[0] : Json.write(request.body());
    var target = request.path() + (request.dryRun() ? "?dryRun=All" : "");
    var answer = cluster.send(request.method(), target, request.contentType(), body);
    return Answer.of(200, "application/json", Json.write(answer));
  }
}
