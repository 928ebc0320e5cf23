package io.berth.app;

import io.berth.api.ApiException;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Cluster;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Asks the cluster who somebody is and what they may read, as Kubernetes' own components do with
/// those who call them. Answers are kept for a few seconds.
final class Reviewer {

  private static final Resource TOKEN_REVIEWS =
      new Resource("authentication.k8s.io", "v1", "tokenreviews", "TokenReview", false);
  private static final Resource ACCESS_REVIEWS =
      new Resource(
          "authorization.k8s.io", "v1", "subjectaccessreviews", "SubjectAccessReview", false);
  private static final Duration KEPT = Duration.ofSeconds(10);
  private static final int MAX_KEPT = 100;

  private final Cluster cluster;
  private final InstantSource clock;
  private final Map<String, Kept> kept =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Kept> eldest) {
          return size() > MAX_KEPT;
        }
      };

  Reviewer(Cluster cluster, InstantSource clock) {
    this.cluster = cluster;
    this.clock = clock;
  }

  enum Answer {
    YES,
    NO,
    WHO
  }

  private record Kept(Answer answer, Instant until) {}

  /// Whether the bearer of this `Authorization` header may get this path.
  synchronized Answer mayRead(String path, @Nullable String header) {
    if (header == null || !header.startsWith("Bearer ")) {
      return Answer.WHO;
    }
    var key = path + " " + header;
    var known = kept.get(key);
    if (known != null && clock.instant().isBefore(known.until())) {
      return known.answer();
    }
    var answer = review(path, header.substring("Bearer ".length()).strip());
    kept.put(key, new Kept(answer, clock.instant().plus(KEPT)));
    return answer;
  }

  private Answer review(String path, String token) {
    try {
      var who =
          cluster
              .create(
                  TOKEN_REVIEWS, review("authentication", "TokenReview", Tree.of("token", token)))
              .treeOrEmpty("status");
      if (!who.flag("authenticated")) {
        return Answer.WHO;
      }
      var spec =
          Tree.of(
              "user",
              who.textOrEmpty("user", "username"),
              "groups",
              who.list("user", "groups"),
              "nonResourceAttributes",
              Tree.of("path", path, "verb", "get"));
      var may =
          cluster.create(ACCESS_REVIEWS, review("authorization", "SubjectAccessReview", spec));
      return may.treeOrEmpty("status").flag("allowed") ? Answer.YES : Answer.NO;
    } catch (ApiException e) {
      return Answer.NO;
    }
  }

  private static Tree review(String group, String kind, Tree spec) {
    return Tree.of("apiVersion", group + ".k8s.io/v1", "kind", kind, "spec", spec);
  }
}
