package io.berth.kinds.networking;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.IpAddresses;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// `networking.k8s.io/v1 servicecidrs`: ranges that services take their addresses from.
///
/// Mirrors: registry/networking/servicecidr.serviceCIDRStrategy,
/// networking/validation.ValidateServiceCIDR
public final class ServiceCidrStrategy extends PlainStrategy {

  public ServiceCidrStrategy(Resource resource) {
    super(resource);
  }

  @Override
  public void validateCreate(Cursor object) {
    super.validateCreate(object);
    validateCidrs(object.at("spec", "cidrs"));
  }

  private static void validateCidrs(Cursor cidrs) {
    var list = cidrs.required("at least one CIDR required").list();
    if (list.size() > 2) {
      cidrs.invalid(Tree.of("CIDRs", list), "may only hold up to 2 values");
      return;
    }
    boolean good = true;
    for (var cidr : cidrs.each()) {
      good &= IpAddresses.validateCidr(cidr, List.of());
    }
    if (good && list.size() == 2 && isV6(list.get(0)) == isV6(list.get(1))) {
      cidrs.invalid(
          "may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and"
              + " 2001:db8::/64");
    }
  }

  private static boolean isV6(@Nullable Object cidr) {
    return String.valueOf(cidr).contains(":");
  }

  /// A second range of the other family may be added; what is there stays.
  @Override
  public void validateUpdate(Cursor object, Tree old) {
    super.validateUpdate(object, old);
    var cidrs = object.at("spec", "cidrs");
    int size = cidrs.list().size();
    var before = old.list("spec", "cidrs");
    if (before.size() != size && !(before.size() == 1 && size == 2)) {
      cidrs.invalid(cidrs.list(), Checks.IMMUTABLE);
      return;
    }
    for (int i = 0; i < before.size(); i++) {
      cidrs.each().get(i).immutable(before.get(i));
    }
    if (before.size() < size) {
      validateCidrs(cidrs);
    }
  }

  @Override
  public List<@Nullable Object> cells(Tree object, Instant now) {
    var cidrs = object.list("spec", "cidrs").stream().map(String::valueOf).toList();
    return Cells.row(Cells.name(object), String.join(",", cidrs), Cells.age(object, now));
  }
}
