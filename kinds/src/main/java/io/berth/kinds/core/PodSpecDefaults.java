package io.berth.kinds.core;

import io.berth.api.ResourceList;
import io.berth.api.Tree;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a pod spec says when its author does not; the same for pods and for pod templates.
///
/// Mirrors: core/v1.SetDefaults_PodSpec
public final class PodSpecDefaults {

  private PodSpecDefaults() {}

  /// The template of a workload: its spec is filled in.
  public static void applyToTemplate(Tree template) {
    template.child("metadata");
    apply(template.child("spec"));
  }

  public static void apply(Tree spec) {
    DisabledPodFields.drop(spec);
    var account = spec.textOrEmpty("serviceAccountName");
    if (account.isEmpty()) {
      account = spec.textOrEmpty("serviceAccount");
    }
    if (!account.isEmpty()) {
      spec.put("serviceAccountName", account).put("serviceAccount", account);
    }
    text(spec, "dnsPolicy", "ClusterFirst");
    text(spec, "restartPolicy", "Always");
    spec.putIfAbsent("securityContext", new Tree());
    spec.putIfAbsent("terminationGracePeriodSeconds", 30);
    text(spec, "schedulerName", "default-scheduler");
    spec.trees("volumes").forEach(VolumeDefaults::apply);
    spec.trees("initContainers").forEach(PodSpecDefaults::container);
    spec.trees("containers").forEach(PodSpecDefaults::container);
    spec.trees("ephemeralContainers").forEach(PodSpecDefaults::container);
    resources(spec.treeOrEmpty("resources"));
    ResourceList.roundUp(spec.tree("overhead"));
  }

  private static void container(Tree container) {
    if (container.textOrEmpty("imagePullPolicy").isEmpty()) {
      container.put("imagePullPolicy", pullPolicy(container.textOrEmpty("image")));
    }
    text(container, "terminationMessagePath", "/dev/termination-log");
    text(container, "terminationMessagePolicy", "File");
    container.trees("ports").forEach(port -> text(port, "protocol", "TCP"));
    container.trees("env").forEach(PodSpecDefaults::environmentVariable);
    resources(container.child("resources"));
    for (var probe : List.of("livenessProbe", "readinessProbe", "startupProbe")) {
      if (container.at(probe) instanceof Tree tree) {
        probe(tree);
      }
    }
    for (var hook : List.of("postStart", "preStop")) {
      httpGet(container.tree("lifecycle", hook, "httpGet"));
    }
  }

  /// `Always` for images without a fixed tag.
  static String pullPolicy(String image) {
    return ImageName.tag(image).equals("latest") ? "Always" : "IfNotPresent";
  }

  private static void environmentVariable(Tree variable) {
    fieldReference(variable.tree("valueFrom", "fieldRef"));
    if (variable.at("valueFrom", "fileKeyRef") instanceof Tree file) {
      file.putIfAbsent("optional", false);
    }
    // A zero divisor stands for "not given" and is always written.
    if (variable.at("valueFrom", "resourceFieldRef") instanceof Tree resource) {
      resource.putIfAbsent("divisor", "0");
    }
  }

  static void fieldReference(@Nullable Tree reference) {
    if (reference != null) {
      text(reference, "apiVersion", "v1");
    }
  }

  private static void probe(Tree probe) {
    number(probe, "timeoutSeconds", 1);
    number(probe, "periodSeconds", 10);
    number(probe, "successThreshold", 1);
    number(probe, "failureThreshold", 3);
    httpGet(probe.tree("httpGet"));
    if (probe.at("grpc") instanceof Tree grpc) {
      grpc.putIfAbsent("service", "");
    }
  }

  private static void httpGet(@Nullable Tree action) {
    if (action != null) {
      text(action, "path", "/");
      text(action, "scheme", "HTTP");
    }
  }

  private static void resources(Tree resources) {
    ResourceList.roundUp(resources.tree("limits"));
    ResourceList.roundUp(resources.tree("requests"));
  }

  static void text(Tree tree, String field, String value) {
    if (tree.textOrEmpty(field).isEmpty()) {
      tree.put(field, value);
    }
  }

  static void number(Tree tree, String field, long value) {
    if (tree.number(0, field) == 0) {
      tree.put(field, value);
    }
  }
}
