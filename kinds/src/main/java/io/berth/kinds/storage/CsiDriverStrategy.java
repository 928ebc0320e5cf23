package io.berth.kinds.storage;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.Fields;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.Write;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.Names;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// `storage.k8s.io/v1 csidrivers`
///
/// Mirrors: registry/storage/csidriver.csiDriverStrategy, storage/validation.ValidateCSIDriver
public final class CsiDriverStrategy extends PlainStrategy {

  private static final int MAX_NAME = 63;
  private static final int MIN_UPDATE_SECONDS = 10;
  private static final int MIN_TOKEN_SECONDS = 600;
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
  public void validateCreate(Cursor object) {
    super.validateCreate(object);
    validateName(object.at("metadata", "name").ifFilled());
    validateSpec(object.at("spec"));
  }

  static void validateName(Cursor name) {
    if (name.text().length() > MAX_NAME) {
      name.tooLong(MAX_NAME);
    }
    name.follows(text -> Names.dnsSubdomain(text.toLowerCase(Locale.ROOT)));
  }

  private static void validateSpec(Cursor spec) {
    spec.at("attachRequired").required();
    spec.at("fsGroupPolicy").supported(GROUP_POLICIES);
    var audiences = new HashSet<String>();
    for (var request : spec.each("tokenRequests")) {
      request.at("audience").unique(audiences);
      var seconds = request.at("expirationSeconds").ifSet();
      if (seconds.number() < MIN_TOKEN_SECONDS) {
        seconds.invalid("may not specify a duration less than 10 minutes");
      }
    }
    var modes = spec.at("volumeLifecycleModes");
    modes.list().forEach(mode -> modes.with(mode).supported(MODES));
    var period = spec.at("nodeAllocatableUpdatePeriodSeconds").ifSet();
    if (period.number() < MIN_UPDATE_SECONDS) {
      period.invalid("must be greater than or equal to %d seconds".formatted(MIN_UPDATE_SECONDS));
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
  public void validateUpdate(Cursor object, Tree old) {
    super.validateUpdate(object, old);
    var spec = object.at("spec");
    spec.immutable(old.treeOrEmpty("spec"), "attachRequired", "volumeLifecycleModes");
    validateSpec(spec);
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
