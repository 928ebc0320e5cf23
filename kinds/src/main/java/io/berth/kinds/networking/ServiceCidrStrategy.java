package io.berth.kinds.networking;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.Fields;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.StatusRules;
import io.berth.kinds.UpdateRules;
import io.berth.kinds.Write;
import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.IpAddresses;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// `networking.k8s.io/v1 servicecidrs`: ranges that services take their addresses from.
public final class ServiceCidrStrategy extends PlainStrategy {

  private static final FieldPath CIDRS = FieldPath.of("spec", "cidrs");

  public ServiceCidrStrategy(Resource resource) {
    super(resource);
  }

  @Override
  public void prepareForCreate(Tree object, Write write) {
    object.put("status", new Tree());
  }

  @Override
  public void prepareForUpdate(Tree object, Tree old, Write write) {
    Fields.keep(object, old, "status");
  }

  @Override
  public void validateCreate(Tree object, FieldErrors errors) {
    super.validateCreate(object, errors);
    validate(object.list("spec", "cidrs"), errors);
  }

  private static void validate(List<@Nullable Object> cidrs, FieldErrors errors) {
    if (cidrs.isEmpty()) {
      errors.required(CIDRS, "at least one CIDR required");
      return;
    }
    if (cidrs.size() > 2) {
      errors.invalid(CIDRS, Tree.of("CIDRs", cidrs), "may only hold up to 2 values");
      return;
    }
    var objections = new FieldErrors();
    for (int i = 0; i < cidrs.size(); i++) {
      IpAddresses.validateCidr(CIDRS.index(i), String.valueOf(cidrs.get(i)), List.of(), objections);
    }
    errors.addAll(objections);
    if (objections.isEmpty() && cidrs.size() == 2 && isV6(cidrs.get(0)) == isV6(cidrs.get(1))) {
      errors.invalid(
          CIDRS,
          cidrs,
          "may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and"
              + " 2001:db8::/64");
    }
  }

  private static boolean isV6(@Nullable Object cidr) {
    return String.valueOf(cidr).contains(":");
  }

  /// A second range of the other family may be added; what is there stays.
  @Override
  public void validateUpdate(Tree object, Tree old, FieldErrors errors) {
    super.validateUpdate(object, old, errors);
    var cidrs = object.list("spec", "cidrs");
    var before = old.list("spec", "cidrs");
    if (before.size() != cidrs.size() && !(before.size() == 1 && cidrs.size() == 2)) {
      errors.invalid(CIDRS, cidrs, Checks.IMMUTABLE);
      return;
    }
    for (int i = 0; i < before.size(); i++) {
      Checks.immutable(CIDRS.index(i), cidrs.get(i), before.get(i), errors);
    }
    if (before.size() < cidrs.size()) {
      validate(cidrs, errors);
    }
  }

  @Override
  public Map<String, UpdateRules> subresources() {
    return Map.of("status", new StatusRules());
  }

  @Override
  public List<@Nullable Object> cells(Tree object, Instant now) {
    var cidrs = object.list("spec", "cidrs").stream().map(String::valueOf).toList();
    return Cells.row(Cells.name(object), String.join(",", cidrs), Cells.age(object, now));
  }
}
