package io.berth.kinds.storage;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.Fields;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.Write;
import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.Names;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// `storage.k8s.io/v1 csidrivers`
public final class CsiDriverStrategy extends PlainStrategy {

  private static final FieldPath SPEC = FieldPath.of("spec");
  private static final int MAX_NAME = 63;
  private static final int MIN_UPDATE_SECONDS = 10;
  private static final List<String> MODES = List.of("Persistent", "Ephemeral");
  private static final List<String> GROUP_POLICIES =
      List.of("File", "None", "ReadWriteOnceWithFSType");

  public CsiDriverStrategy(Resource resource) {
    super(resource);
  }

  @Override
  public void setDefaults(Tree object) {
    var spec = object.child("spec");
    spec.putIfAbsent("attachRequired", true);
    spec.putIfAbsent("fsGroupPolicy", "ReadWriteOnceWithFSType");
    for (var flag :
        List.of(
            "podInfoOnMount",
            "preventPodSchedulingIfMissing",
            "requiresRepublish",
            "seLinuxMount",
            "storageCapacity")) {
      spec.putIfAbsent(flag, false);
    }
    if (spec.list("volumeLifecycleModes").isEmpty()) {
      spec.put("volumeLifecycleModes", List.of("Persistent"));
    }
  }

  @Override
  public boolean allowUnconditionalUpdate() {
    return false;
  }

  @Override
  public boolean deleteReturnsObject() {
    return true;
  }

  @Override
  public void validateCreate(Tree object, FieldErrors errors) {
    super.validateCreate(object, errors);
    var name = object.textOrEmpty("metadata", "name");
    if (name.length() > MAX_NAME) {
      errors.tooLong(FieldPath.of("metadata", "name"), MAX_NAME);
    }
    if (!name.isEmpty()) {
      Checks.complaints(
          FieldPath.of("metadata", "name"),
          name,
          Names.dnsSubdomain(name.toLowerCase(Locale.ROOT)),
          errors);
    }
    validateSpec(object.treeOrEmpty("spec"), errors);
  }

  private static void validateSpec(Tree spec, FieldErrors errors) {
    if (spec.get("attachRequired") == null) {
      errors.required(SPEC.child("attachRequired"));
    }
    Checks.supported(
        SPEC.child("fsGroupPolicy"), spec.textOrEmpty("fsGroupPolicy"), GROUP_POLICIES, errors);
    var requests = spec.trees("tokenRequests");
    var audiences = new HashSet<String>();
    for (int i = 0; i < requests.size(); i++) {
      var path = SPEC.child("tokenRequests").index(i);
      var audience = requests.get(i).textOrEmpty("audience");
      if (!audiences.add(audience)) {
        errors.duplicate(path.child("audience"), audience);
      }
      if (requests.get(i).get("expirationSeconds") instanceof Long seconds && seconds < 600) {
        errors.invalid(
            path.child("expirationSeconds"),
            seconds,
            "may not specify a duration less than 10 minutes");
      }
    }
    for (var mode : spec.list("volumeLifecycleModes")) {
      if (!MODES.contains(mode)) {
        errors.notSupported(SPEC.child("volumeLifecycleModes"), mode, MODES);
      }
    }
    if (spec.get("nodeAllocatableUpdatePeriodSeconds") instanceof Long seconds
        && seconds < MIN_UPDATE_SECONDS) {
      errors.invalid(
          SPEC.child("nodeAllocatableUpdatePeriodSeconds"),
          seconds,
          "must be greater than or equal to %d seconds".formatted(MIN_UPDATE_SECONDS));
    }
  }

  @Override
  public List<String> warningsOnCreate(Tree object) {
    return warnings(object);
  }

  @Override
  public List<String> warningsOnUpdate(Tree object, Tree old) {
    return warnings(object);
  }

  private static List<String> warnings(Tree object) {
    boolean logged =
        !object.list("spec", "tokenRequests").isEmpty()
            && object.at("spec", "serviceAccountTokenInSecrets") == null;
    return logged
        ? List.of(
            "spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to"
                + " true to prevent possible logging of tokens in volume attributes")
        : List.of();
  }

  @Override
  public void prepareForUpdate(Tree object, Tree old, Write write) {
    Fields.countGeneration(object, old, "spec");
  }

  @Override
  public void validateUpdate(Tree object, Tree old, FieldErrors errors) {
    super.validateUpdate(object, old, errors);
    for (var field : List.of("attachRequired", "volumeLifecycleModes")) {
      Checks.immutable(SPEC.child(field), object.at("spec", field), old.at("spec", field), errors);
    }
    validateSpec(object.treeOrEmpty("spec"), errors);
  }

  @Override
  public List<@Nullable Object> cells(Tree object, Instant now) {
    var spec = object.treeOrEmpty("spec");
    var audiences =
        spec.trees("tokenRequests").stream()
            .map(request -> request.textOrEmpty("audience"))
            .collect(Collectors.joining(","));
    var modes =
        spec.list("volumeLifecycleModes").stream()
            .map(String::valueOf)
            .collect(Collectors.joining(","));
    return Cells.row(
        Cells.name(object),
        spec.flag("attachRequired"),
        spec.flag("podInfoOnMount"),
        spec.flag("storageCapacity"),
        audiences.isEmpty() ? Cells.UNSET : audiences,
        spec.flag("requiresRepublish"),
        modes.isEmpty() ? Cells.NONE : modes,
        Cells.age(object, now));
  }
}
