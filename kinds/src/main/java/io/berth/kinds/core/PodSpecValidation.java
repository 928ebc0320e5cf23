package io.berth.kinds.core;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Tree;
import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.IpAddresses;
import io.berth.kinds.meta.Names;
import io.berth.kinds.meta.ObjectMeta;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The rules of a pod spec, of pods and templates alike, in the order Kubernetes checks them.
public final class PodSpecValidation {

  private static final List<String> DNS_POLICIES =
      List.of("ClusterFirstWithHostNet", "ClusterFirst", "Default", "None");
  private static final int MAX_NAMESERVERS = 3;
  private static final int MAX_SEARCH_PATHS = 32;
  private static final int MAX_SEARCH_CHARS = 2048;

  private final PodOptions options;
  private final FieldErrors errors;
  private final Tree spec;
  private final FieldPath path;

  private PodSpecValidation(Tree spec, FieldPath path, PodOptions options, FieldErrors errors) {
    this.spec = spec;
    this.path = path;
    this.options = options;
    this.errors = errors;
  }

  /// A pod template: labels, annotations, spec, and what only running pods may have.
  public static void validateTemplate(
      Tree template, FieldPath path, PodOptions options, FieldErrors errors) {
    ObjectMeta.validateLabels(template.texts("metadata", "labels"), path.child("labels"), errors);
    var annotations = template.texts("metadata", "annotations");
    ObjectMeta.validateAnnotations(annotations, path.child("annotations"), errors);
    var spec = template.treeOrEmpty("spec");
    PodAnnotations.validate(annotations, spec, path.child("annotations"), errors);
    validate(spec, null, path.child("spec"), options, errors);
    PodAnnotations.validateProfiles(annotations, spec, path.child("spec"), errors);
    if (!spec.list("ephemeralContainers").isEmpty()) {
      errors.forbidden(
          path.child("spec", "ephemeralContainers"),
          "ephemeral containers not allowed in pod template");
    }
  }

  /// `meta` is the pod's metadata, absent in a template.
  public static void validate(
      Tree spec, @Nullable Tree meta, FieldPath path, PodOptions options, FieldErrors errors) {
    new PodSpecValidation(spec, path, options, errors).all(meta);
  }

  private void all(@Nullable Tree meta) {
    if (spec.get("terminationGracePeriodSeconds") == null) {
      errors.required(path.child("terminationGracePeriodSeconds"));
    }
    var volumes = VolumeValidation.validate(spec, meta, path.child("volumes"), errors);
    var claims = resourceClaims(meta);
    new ContainerValidation(spec, path, volumes, claims, options, errors).all();
    new ResourceValidation(errors, options.indivisibleHugePages()).pod(spec, claims, path);
    hostPortsMatchContainerPorts();
    Checks.oneOf(
        path.child("restartPolicy"),
        spec.textOrEmpty("restartPolicy"),
        List.of("Always", "OnFailure", "Never"),
        errors);
    Checks.oneOf(path.child("dnsPolicy"), spec.textOrEmpty("dnsPolicy"), DNS_POLICIES, errors);
    ObjectMeta.validateLabels(spec.texts("nodeSelector"), path.child("nodeSelector"), errors);
    var security = new SecurityValidation(spec, path, errors);
    security.pod();
    if (spec.flag("shareProcessNamespace") && spec.flag("hostPID")) {
      errors.invalid(
          path.child("shareProcessNamespace"),
          true,
          "ShareProcessNamespace and HostPID cannot both be enabled");
    }
    new AffinityValidation(options, errors).validate(spec.tree("affinity"), path.child("affinity"));
    dnsConfig();
    gates();
    new SpreadValidation(options, errors)
        .validate(spec.trees("topologySpreadConstraints"), path.child("topologySpreadConstraints"));
    security.windowsHostProcess();
    security.hostUsers();
    hostname();
    names();
    security.operatingSystem();
    schedulingGroup();
    fileKeyVolumes();
  }

  private Set<String> resourceClaims(@Nullable Tree meta) {
    var names = new HashSet<String>();
    var claims = spec.trees("resourceClaims");
    for (int i = 0; i < claims.size(); i++) {
      if (meta != null && meta.texts("annotations").containsKey(PodAnnotations.MIRROR)) {
        errors.forbidden(FieldPath.of(""), "static pods do not support resource claims");
      } else {
        resourceClaim(claims.get(i), names, path.child("resourceClaims").index(i));
      }
    }
    claims.forEach(claim -> names.add(claim.textOrEmpty("name")));
    names.remove("");
    return names;
  }

  private void resourceClaim(Tree claim, Set<String> names, FieldPath at) {
    var name = claim.textOrEmpty("name");
    if (Checks.required(at.child("name"), name, errors)) {
      if (names.add(name)) {
        Checks.dnsLabel(at.child("name"), name, errors);
      } else {
        errors.duplicate(at.child("name"), name);
      }
    }
    var direct = claim.text("resourceClaimName");
    var template = claim.text("resourceClaimTemplateName");
    if (direct != null && template != null) {
      errors.invalid(
          at,
          GoStructs.POD_RESOURCE_CLAIM.of(claim),
          "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified");
    }
    if (direct == null && template == null) {
      errors.invalid(
          at,
          GoStructs.POD_RESOURCE_CLAIM.of(claim),
          "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`");
    }
    if (direct != null) {
      Checks.dnsSubdomain(at.child("resourceClaimName"), direct, errors);
    }
    if (template != null) {
      Checks.dnsSubdomain(at.child("resourceClaimTemplateName"), template, errors);
    }
  }

  private void hostPortsMatchContainerPorts() {
    if (!spec.flag("hostNetwork")) {
      return;
    }
    var containers = spec.trees("containers");
    for (int i = 0; i < containers.size(); i++) {
      var ports = containers.get(i).trees("ports");
      for (int p = 0; p < ports.size(); p++) {
        long host = ports.get(p).number(0, "hostPort");
        if ((options.isPod() || host != 0) && host != ports.get(p).number(0, "containerPort")) {
          errors.invalid(
              path.child("containers").index(i).child("ports").index(p).child("hostPort"),
              host,
              "must match `containerPort` when `hostNetwork` is true");
        }
      }
    }
  }

  private void dnsConfig() {
    var at = path.child("dnsConfig");
    var config = spec.tree("dnsConfig");
    if (spec.textOrEmpty("dnsPolicy").equals("None")) {
      if (config == null) {
        errors.required(at, "must provide `dnsConfig` when `dnsPolicy` is None");
        return;
      }
      if (config.list("nameservers").isEmpty()) {
        errors.required(
            at.child("nameservers"),
            "must provide at least one DNS nameserver when `dnsPolicy` is None");
        return;
      }
    }
    if (config == null) {
      return;
    }
    nameservers(config, at.child("nameservers"));
    searches(config, at.child("searches"));
    var dnsOptions = config.trees("options");
    for (int i = 0; i < dnsOptions.size(); i++) {
      if (dnsOptions.get(i).textOrEmpty("name").isEmpty()) {
        errors.required(at.child("options").index(i), "must not be empty");
      }
    }
  }

  private void nameservers(Tree config, FieldPath at) {
    var servers = config.list("nameservers");
    if (servers.size() > MAX_NAMESERVERS) {
      errors.invalid(at, servers, "must not have more than 3 nameservers");
    }
    for (int i = 0; i < servers.size(); i++) {
      IpAddresses.validate(at.index(i), String.valueOf(servers.get(i)), List.of(), errors);
    }
  }

  private void searches(Tree config, FieldPath at) {
    var searches = config.list("searches").stream().map(String::valueOf).toList();
    if (searches.size() > MAX_SEARCH_PATHS) {
      errors.invalid(at, searches, "must not have more than 32 search paths");
    }
    if (Names.bytes(String.join(" ", searches)) > MAX_SEARCH_CHARS) {
      errors.invalid(
          at,
          searches,
          "must not have more than 2048 characters (including spaces) in the search list");
    }
    for (int i = 0; i < searches.size(); i++) {
      var search = searches.get(i);
      if (!search.equals(".")) {
        var bare = search.endsWith(".") ? search.substring(0, search.length() - 1) : search;
        Checks.complaints(at.index(i), bare, Names.dnsSubdomainWithUnderscore(bare), errors);
      }
    }
  }

  private void gates() {
    var readiness = spec.trees("readinessGates");
    for (int i = 0; i < readiness.size(); i++) {
      Checks.qualifiedName(
          path.child("readinessGates").index(i).child("conditionType"),
          readiness.get(i).textOrEmpty("conditionType"),
          errors);
    }
    var seen = new HashSet<String>();
    var scheduling = spec.trees("schedulingGates");
    for (int i = 0; i < scheduling.size(); i++) {
      var at = path.child("schedulingGates").index(i);
      var name = scheduling.get(i).textOrEmpty("name");
      Checks.qualifiedName(at, name, errors);
      if (!seen.add(name)) {
        errors.duplicate(at, name);
      }
    }
  }

  private void hostname() {
    var override = spec.text("hostnameOverride");
    if (override == null) {
      return;
    }
    var at = path.child("hostnameOverride");
    if (spec.flag("setHostnameAsFQDN")) {
      errors.forbidden(at, "may not be specified when setHostnameAsFQDN is true");
    }
    if (spec.flag("hostNetwork")) {
      errors.forbidden(at, "may not be specified when hostNetwork is true");
    }
    if (Names.bytes(override) > 64) {
      errors.tooLong(at, 64);
    }
    Checks.dnsSubdomain(at, override, errors);
  }

  private void names() {
    optionalSubdomain("serviceAccountName");
    optionalSubdomain("nodeName");
    if (spec.get("activeDeadlineSeconds") instanceof Long deadline) {
      Checks.inRange(path.child("activeDeadlineSeconds"), deadline, 1, Integer.MAX_VALUE, errors);
    }
    for (var field : List.of("hostname", "subdomain")) {
      var name = spec.textOrEmpty(field);
      if (!name.isEmpty()) {
        Checks.dnsLabel(path.child(field), name, errors);
      }
    }
    Tolerations.validate(spec.trees("tolerations"), path.child("tolerations"), errors);
    hostAliases();
    optionalSubdomain("priorityClassName");
    if (spec.get("runtimeClassName") instanceof String runtimeClass) {
      Checks.dnsSubdomain(path.child("runtimeClassName"), runtimeClass, errors);
    }
    if (spec.get("preemptionPolicy") instanceof String policy) {
      Checks.oneOf(
          path.child("preemptionPolicy"), policy, List.of("PreemptLowerPriority", "Never"), errors);
    }
    if (spec.get("overhead") instanceof Tree overhead) {
      new ResourceValidation(errors, options.indivisibleHugePages())
          .overhead(overhead, path.child("overhead"));
    }
  }

  private void optionalSubdomain(String field) {
    var name = spec.textOrEmpty(field);
    if (!name.isEmpty()) {
      Checks.dnsSubdomain(path.child(field), name, errors);
    }
  }

  private void hostAliases() {
    var aliases = spec.trees("hostAliases");
    for (int i = 0; i < aliases.size(); i++) {
      var at = path.child("hostAliases").index(i);
      IpAddresses.validate(at.child("ip"), aliases.get(i).textOrEmpty("ip"), List.of(), errors);
      var hostnames = aliases.get(i).list("hostnames");
      for (int h = 0; h < hostnames.size(); h++) {
        Checks.dnsSubdomain(
            at.child("hostnames").index(h), String.valueOf(hostnames.get(h)), errors);
      }
    }
  }

  private void schedulingGroup() {
    if (spec.get("schedulingGroup") instanceof Tree group) {
      var at = path.child("schedulingGroup", "podGroupName");
      if (group.get("podGroupName") instanceof String name) {
        Checks.dnsSubdomain(at, name, errors);
      } else {
        errors.invalid(at, null, "must specify one of: `podGroupName`");
      }
    }
  }

  private void fileKeyVolumes() {
    for (var list : List.of("initContainers", "containers", "ephemeralContainers")) {
      var containers = spec.trees(list);
      for (int i = 0; i < containers.size(); i++) {
        var variables = containers.get(i).trees("env");
        for (int e = 0; e < variables.size(); e++) {
          if (variables.get(e).at("valueFrom", "fileKeyRef") instanceof Tree file) {
            var at =
                path.child(list).index(i).child("env").index(e).child("valueFrom", "fileKeyRef");
            fileKeyVolume(file.textOrEmpty("volumeName"), at.child("volumeName"));
          }
        }
      }
    }
  }

  private void fileKeyVolume(String name, FieldPath at) {
    @Nullable Tree found = null;
    for (var volume : spec.trees("volumes")) {
      if (volume.textOrEmpty("name").equals(name)) {
        found = volume;
      }
    }
    if (found == null) {
      errors.notFound(at, name);
    } else if (found.tree("emptyDir") == null) {
      errors.invalid(at, name, "referenced volume must be of type emptyDir");
    }
  }
}
