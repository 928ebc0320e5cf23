package io.berth.engine.rule.volume;

import io.berth.api.PersistentVolumeClaim;
import io.berth.api.Pod;
import io.berth.engine.ClusterEvent;
import io.berth.engine.ClusterEvent.Kind;
import io.berth.engine.Code;
import io.berth.engine.VolumeReservation;
import io.berth.engine.model.ClusterModel;
import io.berth.engine.model.Shape;
import io.berth.engine.rule.Causes;
import io.berth.engine.rule.CycleException;
import io.berth.engine.rule.FilterForm;
import io.berth.engine.rule.FilterRule;
import io.berth.engine.rule.NodeScore;
import io.berth.engine.rule.NodeTest;
import io.berth.engine.rule.Reserving;
import io.berth.engine.rule.ScoreForm;
import io.berth.engine.rule.ScoreRule;
import io.berth.engine.rule.Verdict;
import java.time.Duration;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Keeps pods to nodes where their claims are, or can be, served.
///
/// Bound claims must be reachable from the node; claims that wait for their first consumer need a
/// free volume there, or a class that can make one for the node. Of nodes that can serve them,
/// those are preferred that the configured shape likes: by default, where much storage is left.
public final class VolumeBinding implements FilterRule, ScoreRule, Reserving {

  private static final String NAME = "VolumeBinding";

  private final VolumeBindingArgs args;

  public VolumeBinding(VolumeBindingArgs args) {
    this.args = args;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Causes causesFor(Shape shape, ClusterModel cluster) {
    return new VolumeCauses(shape, cluster)::binding;
  }

  @Override
  public Set<Kind> wakes() {
    return EnumSet.of(
        Kind.STORAGE_CLASS_ADD,
        Kind.STORAGE_CLASS_UPDATE,
        Kind.PERSISTENT_VOLUME_CLAIM_ADD,
        Kind.PERSISTENT_VOLUME_CLAIM_UPDATE,
        Kind.PERSISTENT_VOLUME_ADD,
        Kind.PERSISTENT_VOLUME_UPDATE,
        Kind.NODE_ADD,
        Kind.NODE_UPDATE_LABEL,
        Kind.CSI_NODE_ADD,
        Kind.CSI_NODE_UPDATE,
        Kind.CSI_DRIVER_UPDATE,
        Kind.CSI_STORAGE_CAPACITY_ADD,
        Kind.CSI_STORAGE_CAPACITY_UPDATE);
  }

  @Override
  public boolean helps(Pod pod, ClusterEvent event, ClusterModel cluster) {
    return new VolumeHints(pod, cluster.volumes()).binding(event);
  }

  @Override
  public VolumeReservation reserve(Pod pod, String node, ClusterModel cluster) {
    var places = ClaimPlaces.reserve(pod, node, cluster);
    var volumes = new LinkedHashMap<String, String>();
    for (var binding : places.bindings()) {
      volumes.put(binding.claim().key(), binding.volume().name());
    }
    return new VolumeReservation(
        volumes, places.provisions().stream().map(each -> each.claim().key()).toList());
  }

  @Override
  public Duration patience() {
    return Duration.ofSeconds(args.bindTimeoutSeconds());
  }

  @Override
  public NodeTest testFor(Shape shape, ClusterModel cluster) {
    var claims = PodClaims.of(shape, cluster);
    if (claims.isEmpty()) {
      return NodeTest.ALL;
    }
    var problem = problem(claims);
    if (problem != null) {
      return NodeTest.veto(problem);
    }
    if (hasUnboundImmediate(claims, cluster)) {
      return NodeTest.veto("pod has unbound immediate PersistentVolumeClaims");
    }
    var places = ClaimPlaces.of(claims, cluster);
    return node -> {
      var reasons = places.on(node).reasons();
      return reasons.isEmpty() ? Verdict.FITS : new Verdict.Unfit(Code.UNRESOLVABLE, reasons);
    };
  }

  @Override
  public NodeScore scoreFor(Shape shape, ClusterModel cluster) {
    var claims = PodClaims.of(shape, cluster);
    if (claims.isEmpty() || problem(claims) != null) {
      return NodeScore.SKIP;
    }
    var places = ClaimPlaces.of(claims, cluster);
    return places.isSettled() ? NodeScore.SKIP : node -> places.on(node).score(args.shape());
  }

  @Override
  public FilterForm filterForm(Shape shape, ClusterModel cluster) {
    return PodClaims.hasClaims(shape) ? FilterForm.LONG_WAY : FilterForm.SILENT;
  }

  @Override
  public ScoreForm scoreForm(Shape shape, ClusterModel cluster) {
    return PodClaims.hasClaims(shape) ? ScoreForm.LONG_WAY : ScoreForm.SILENT;
  }

  @Override
  public boolean restsOnFilter() {
    return true;
  }

  private static @Nullable String problem(List<PodClaims.Named> claims) {
    for (var named : claims) {
      var problem = problem(named);
      if (problem != null) {
        return problem;
      }
    }
    return null;
  }

  private static @Nullable String problem(PodClaims.Named named) {
    var claim = named.claim();
    if (claim == null) {
      return named.ephemeral()
          ? "waiting for ephemeral volume controller to create the persistentvolumeclaim \"%s\""
              .formatted(named.volume().claimName())
          : named.notFound();
    }
    if (claim.phase().equals("Lost")) {
      return "persistentvolumeclaim \"%s\" bound to non-existent persistentvolume \"%s\""
          .formatted(claim.name(), claim.volumeName());
    }
    if (claim.terminating()) {
      return "persistentvolumeclaim \"%s\" is being deleted".formatted(claim.name());
    }
    return named.foreign();
  }

  private static boolean hasUnboundImmediate(List<PodClaims.Named> claims, ClusterModel cluster) {
    boolean found = false;
    for (var named : claims) {
      var claim = named.claim();
      if (claim != null && !claim.isBound()) {
        // A claim with a volume but not yet bound completely is the volume controller's to finish.
        found |= !waitsForConsumer(claim, cluster) || !claim.volumeName().isEmpty();
      }
    }
    return found;
  }

  private static boolean waitsForConsumer(PersistentVolumeClaim claim, ClusterModel cluster) {
    var storageClass = cluster.volumes().storageClass(claim.storageClassName());
    if (storageClass != null && storageClass.bindingMode().isEmpty()) {
      throw CycleException.preFilter(
          NAME, "VolumeBindingMode not set for StorageClass \"%s\"".formatted(storageClass.name()));
    }
    return storageClass != null && storageClass.waitsForConsumer();
  }
}
