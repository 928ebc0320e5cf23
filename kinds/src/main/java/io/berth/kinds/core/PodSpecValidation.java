package io.berth.kinds.core;

import io.berth.api.FieldPath;
import io.berth.api.Tree;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.IpAddresses;
import io.berth.kinds.meta.Names;
import io.berth.kinds.meta.ObjectMeta;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The rules of a pod spec, of pods and templates alike, in the order Kubernetes checks them.
///
/// Mirrors: core/validation.ValidatePodSpec, ValidatePodTemplateSpec
public final class PodSpecValidation {

  private static final List<String> DNS_POLICIES =
      List.of("ClusterFirstWithHostNet", "ClusterFirst", "Default", "None");
  private static final List<String> RESTART_POLICIES = List.of("Always", "OnFailure", "Never");
  private static final List<String> PREEMPTION_POLICIES = List.of("PreemptLowerPriority", "Never");
  private static final int MAX_NAMESERVERS = 3;
  private static final int MAX_SEARCH_PATHS = 32;
  private static final int MAX_SEARCH_CHARS = 2048;

  private final PodOptions options;
  private final Cursor spec;

  private PodSpecValidation(Cursor spec, PodOptions options) {
    this.spec = spec;
    this.options = options;
  }

  /// A pod template: labels, annotations, spec, and what only running pods may have.
  public static void validateTemplate(Cursor template, PodOptions options) {
    var spec = template.at("spec");
    // As in Kubernetes, which leaves `metadata` out of the path.
    var annotations =
        template.at("annotations").with(template.at("metadata", "annotations").value());
    ObjectMeta.validateLabels(
        template.at("labels").with(template.at("metadata", "labels").value()));
    ObjectMeta.validateAnnotations(annotations);
    PodAnnotations.validate(annotations, spec);
    validate(spec, null, options);
    PodAnnotations.validateProfiles(annotations.texts(), spec);
    spec.at("ephemeralContainers")
        .ifFilled()
        .forbidden("ephemeral containers not allowed in pod template");
  }

  /// `meta` is the pod's metadata, absent in a template.
  public static void validate(Cursor spec, @Nullable Tree meta, PodOptions options) {
    new PodSpecValidation(spec, options).all(meta);
  }

  private void all(@Nullable Tree meta) {
    spec.at("terminationGracePeriodSeconds").required();
    var volumes = VolumeValidation.validate(spec, meta);
    var claims = resourceClaims(meta);
    new ContainerValidation(spec, volumes, claims, options).all();
    var resources = new ResourceValidation(options.indivisibleHugePages());
    resources.pod(spec, claims);
    hostPortsMatchContainerPorts();
    spec.at("restartPolicy").oneOf(RESTART_POLICIES);
    spec.at("dnsPolicy").oneOf(DNS_POLICIES);
    ObjectMeta.validateLabels(spec.at("nodeSelector"));
    var security = new SecurityValidation(spec);
    security.pod();
    if (spec.flag("shareProcessNamespace") && spec.flag("hostPID")) {
      spec.at("shareProcessNamespace")
          .invalid("ShareProcessNamespace and HostPID cannot both be enabled");
    }
    new AffinityValidation(options).validate(spec.at("affinity"));
    dnsConfig(spec.at("dnsConfig"));
    gates();
    SpreadValidation.validate(spec.at("topologySpreadConstraints"), options);
    WindowsOptions.validateHostProcess(spec);
    security.hostUsers();
    spec.at("hostnameOverride").ifSet(this::hostname);
    names();
    spec.at("overhead").ifSet(resources::overhead);
    security.operatingSystem();
    schedulingGroup(spec.at("schedulingGroup").ifSet().at("podGroupName"));
    fileKeyVolumes();
  }

  private Set<String> resourceClaims(@Nullable Tree meta) {
    boolean mirror = meta != null && meta.texts("annotations").containsKey(PodAnnotations.MIRROR);
    var names = new HashSet<String>();
    var claims = spec.each("resourceClaims");
    for (var claim : claims) {
      if (mirror) {
        claim.errors().forbidden(FieldPath.of(""), "static pods do not support resource claims");
      } else {
        resourceClaim(claim, names);
      }
    }
    claims.forEach(claim -> names.add(claim.text("name")));
    names.remove("");
    return names;
  }

  private static void resourceClaim(Cursor claim, Set<String> names) {
    var name = claim.at("name").required();
    if (name.isSet() && names.add(name.text())) {
      name.follows(Names::dnsLabel);
    } else {
      name.duplicate();
    }
    var direct = claim.at("resourceClaimName").ifSet();
    var template = claim.at("resourceClaimTemplateName").ifSet();
    if (direct.isSet() && template.isSet()) {
      claim.invalid(
          GoStructs.POD_RESOURCE_CLAIM.of(claim.tree()),
          "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified");
    }
    if (!direct.isSet() && !template.isSet()) {
      claim.invalid(
          GoStructs.POD_RESOURCE_CLAIM.of(claim.tree()),
          "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`");
    }
    direct.follows(Names::dnsSubdomain);
    template.follows(Names::dnsSubdomain);
  }

  private void hostPortsMatchContainerPorts() {
    if (!spec.flag("hostNetwork")) {
      return;
    }
    for (var container : spec.each("containers")) {
      for (var port : container.each("ports")) {
        long host = port.number("hostPort");
        if ((options.isPod() || host != 0) && host != port.number("containerPort")) {
          port.at("hostPort")
              .invalidNumber("must match `containerPort` when `hostNetwork` is true");
        }
      }
    }
  }

  private void dnsConfig(Cursor config) {
    if (spec.text("dnsPolicy").equals("None")) {
      var servers =
          config.required("must provide `dnsConfig` when `dnsPolicy` is None").at("nameservers");
      servers.required("must provide at least one DNS nameserver when `dnsPolicy` is None");
      if (servers.isEmpty()) {
        return;
      }
    }
    nameservers(config.at("nameservers"));
    searches(config.at("searches"));
    for (var option : config.each("options")) {
      if (option.text("name").isEmpty()) {
        option.missing("must not be empty");
      }
    }
  }

  private static void nameservers(Cursor servers) {
    if (servers.list().size() > MAX_NAMESERVERS) {
      servers.invalid("must not have more than 3 nameservers");
    }
    servers.each().forEach(server -> IpAddresses.validate(server, List.of()));
  }

  private static void searches(Cursor searches) {
    var all = searches.list().stream().map(String::valueOf).toList();
    if (all.size() > MAX_SEARCH_PATHS) {
      searches.invalid("must not have more than 32 search paths");
    }
    if (Names.bytes(String.join(" ", all)) > MAX_SEARCH_CHARS) {
      searches.invalid(
          "must not have more than 2048 characters (including spaces) in the search list");
    }
    for (var each : searches.each()) {
      var search = each.text();
      if (!search.equals(".")) {
        var bare = search.endsWith(".") ? search.substring(0, search.length() - 1) : search;
        each.with(bare).follows(Names::dnsSubdomainWithUnderscore);
      }
    }
  }

  private void gates() {
    for (var gate : spec.each("readinessGates")) {
      gate.at("conditionType").follows(Names::qualifiedName);
    }
    var seen = new HashSet<String>();
    for (var gate : spec.each("schedulingGates")) {
      gate.with(gate.text("name")).follows(Names::qualifiedName).unique(seen);
    }
  }

  private void hostname(Cursor override) {
    if (spec.flag("setHostnameAsFQDN")) {
      override.forbidden("may not be specified when setHostnameAsFQDN is true");
    }
    if (spec.flag("hostNetwork")) {
      override.forbidden("may not be specified when hostNetwork is true");
    }
    override.atMostBytes(64).follows(Names::dnsSubdomain);
  }

  private void names() {
    spec.at("serviceAccountName").ifFilled().follows(Names::dnsSubdomain);
    spec.at("nodeName").ifFilled().follows(Names::dnsSubdomain);
    spec.at("activeDeadlineSeconds").ifSet().inRange(1, Integer.MAX_VALUE);
    spec.at("hostname").ifFilled().follows(Names::dnsLabel);
    spec.at("subdomain").ifFilled().follows(Names::dnsLabel);
    Tolerations.validate(spec.at("tolerations"));
    for (var alias : spec.each("hostAliases")) {
      IpAddresses.validate(alias.at("ip"), List.of());
      alias.each("hostnames", host -> host.follows(Names::dnsSubdomain));
    }
    spec.at("priorityClassName").ifFilled().follows(Names::dnsSubdomain);
    spec.at("runtimeClassName").ifSet().follows(Names::dnsSubdomain);
    spec.at("preemptionPolicy").ifSet().oneOf(PREEMPTION_POLICIES);
  }

  private static void schedulingGroup(Cursor group) {
    if (group.isSet()) {
      group.follows(Names::dnsSubdomain);
    } else {
      group.invalid("must specify one of: `podGroupName`");
    }
  }

  private void fileKeyVolumes() {
    for (var container : Containers.all(spec)) {
      for (var variable : container.each("env")) {
        variable.at("valueFrom", "fileKeyRef").ifSet(file -> fileKeyVolume(file.at("volumeName")));
      }
    }
  }

  private void fileKeyVolume(Cursor name) {
    @Nullable Tree found = null;
    for (var volume : spec.tree().trees("volumes")) {
      if (volume.textOrEmpty("name").equals(name.text())) {
        found = volume;
      }
    }
    if (found == null) {
      name.notFound();
    } else if (found.tree("emptyDir") == null) {
      name.invalidText("referenced volume must be of type emptyDir");
    }
  }
}
