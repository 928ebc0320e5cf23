package io.berth.app;

import io.berth.answers.source.Manifest;
import io.berth.api.ApiException;
import io.berth.api.Resource;
import io.berth.api.SchedulerConfiguration;
import io.berth.api.Tree;
import io.berth.cli.Surveys.Found;
import io.berth.cli.UserError;
import io.berth.cluster.Cluster;
import io.berth.cluster.Cluster.Selection;
import io.berth.cluster.kubernetes.Access;
import io.berth.cluster.kubernetes.AccessException;
import io.berth.cluster.kubernetes.KubernetesCluster;
import io.berth.codec.ClusterKind;
import io.berth.codec.Json;
import io.berth.codec.SchedulerConfigurationReader;
import io.berth.codec.SyntaxException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A running cluster, read by lists. What may not be listed is named, and the rest is read.
final class ClusterSurvey {

  /// Where `berth up` says how it schedules.
  static final String SCHEDULER = "/berth/v1/scheduler";

  /// Most of a pod is nobody's business here.
  private static final Set<String> UNREAD =
      Set.of(
          "managedFields",
          "env",
          "envFrom",
          "livenessProbe",
          "readinessProbe",
          "startupProbe",
          "lifecycle",
          "command",
          "args");

  private final Path kubeconfig;
  private final String context;
  private final List<Manifest> manifests = new ArrayList<>();
  private final List<String> unread = new ArrayList<>();
  private String revision = "";

  ClusterSurvey(Path kubeconfig, String context) {
    this.kubeconfig = kubeconfig;
    this.context = context;
  }

  Found read() {
    try (var cluster =
        new KubernetesCluster(Access.kubeconfig(kubeconfig, context), "berth", UNREAD)) {
      for (var resource : MachineSurveys.resources()) {
        list(cluster, resource);
      }
      var scheduler = scheduler();
      return new Found(
          manifests, unread, revision, configuration(scheduler), scheduler.number(1, "seed"));
    } catch (AccessException | UncheckedIOException e) {
      throw UserError.usage(String.valueOf(e.getMessage()));
    }
  }

  private void list(Cluster cluster, Resource resource) {
    try {
      var page = cluster.list(resource, "", Selection.ALL);
      page.items().forEach(item -> manifests.add(Manifest.ofCluster(item)));
      revision = page.revision();
    } catch (ApiException e) {
      if (e.code() == 401) {
        throw UserError.usage("the cluster refuses us: " + e.getMessage());
      }
      if (e.code() != 404 || isServedEverywhere(resource)) {
        unread.add("%s: %s".formatted(resource.qualified(), e.getMessage()));
      }
    }
  }

  private static boolean isServedEverywhere(Resource resource) {
    return ClusterKind.ALL.stream()
        .anyMatch(kind -> kind.resource().equals(resource) && kind.everywhere());
  }

  private static @Nullable SchedulerConfiguration configuration(Tree scheduler) {
    var config = scheduler.tree("config");
    return config == null ? null : SchedulerConfigurationReader.read(config);
  }

  /// What a cluster of `berth up` says about its scheduler; nothing if it is another.
  private Tree scheduler() {
    if (!context.isEmpty()) {
      return new Tree();
    }
    try (var admin = AdminClient.of(kubeconfig)) {
      var request = HttpRequest.newBuilder(URI.create(admin.server() + SCHEDULER)).build();
      var answer = admin.http().send(request, BodyHandlers.ofByteArray());
      return answer.statusCode() == 200 ? Json.read(answer.body()) : new Tree();
    } catch (UserError | IOException | SyntaxException e) {
      return new Tree();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UserError("interrupted");
    }
  }
}
