package io.berth.kinds.networking;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.IpAddresses;
import io.berth.kinds.meta.Names;
import io.berth.kinds.meta.ObjectMeta;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// `networking.k8s.io/v1 ipaddresses`: who holds an address; the address is the name.
///
/// Mirrors: registry/networking/ipaddress.ipAddressStrategy,
/// networking/validation.ValidateIPAddress
public final class IpAddressStrategy extends PlainStrategy {

  public IpAddressStrategy(Resource resource) {
    super(resource);
  }

  @Override
  public void validateCreate(Cursor object) {
    ObjectMeta.validate(object, false, (name, prefix) -> complaints(name));
    var parent = object.at("spec", "parentRef").required();
    parent.at("group").ifFilled().follows(Names::dnsSubdomain);
    parent.at("resource").required().follows(Names::pathSegment);
    parent.at("name").required().follows(Names::pathSegment);
    parent.at("namespace").ifFilled().follows(Names::pathSegment);
  }

  private static List<String> complaints(String name) {
    var errors = new FieldErrors();
    IpAddresses.validate(Cursor.of(FieldPath.of("name"), name, errors), List.of());
    return errors.list().stream()
        .map(error -> error.text().substring(error.text().lastIndexOf("\": ") + 3))
        .toList();
  }

  @Override
  public void validateUpdate(Cursor object, Tree old) {
    super.validateUpdate(object, old);
    object.at("spec").immutable(old.treeOrEmpty("spec"), "parentRef");
  }

  /// As in Kubernetes, one cell more than there are columns.
  @Override
  public List<@Nullable Object> cells(Tree object, Instant now) {
    return Cells.row(
        Cells.name(object), parent(object.tree("spec", "parentRef")), Cells.age(object, now));
  }

  private static String parent(@Nullable Tree parent) {
    if (parent == null) {
      return Cells.NONE;
    }
    var group = parent.textOrEmpty("group");
    var namespace = parent.textOrEmpty("namespace");
    var resource = parent.textOrEmpty("resource") + (group.isEmpty() ? "" : "." + group);
    return resource.toLowerCase(Locale.ROOT)
        + (namespace.isEmpty() ? "" : "/" + namespace)
        + "/"
        + parent.textOrEmpty("name");
  }
}
