package io.berth.kinds.networking;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.IpAddresses;
import io.berth.kinds.meta.Names;
import io.berth.kinds.meta.ObjectMeta;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// `networking.k8s.io/v1 ipaddresses`: who holds an address; the address is the name.
public final class IpAddressStrategy extends PlainStrategy {

  private static final FieldPath PARENT = FieldPath.of("spec", "parentRef");

  public IpAddressStrategy(Resource resource) {
    super(resource);
  }

  @Override
  public void validateCreate(Tree object, FieldErrors errors) {
    ObjectMeta.validate(object, false, (name, prefix) -> complaints(name), errors);
    if (!(object.at("spec", "parentRef") instanceof Tree parent)) {
      errors.required(PARENT);
      return;
    }
    var group = parent.textOrEmpty("group");
    if (!group.isEmpty()) {
      Checks.dnsSubdomain(PARENT.child("group"), group, errors);
    }
    for (var field : List.of("resource", "name")) {
      var value = parent.textOrEmpty(field);
      if (Checks.required(PARENT.child(field), value, errors)) {
        segment(field, value, errors);
      }
    }
    segment("namespace", parent.textOrEmpty("namespace"), errors);
  }

  private static void segment(String field, String value, FieldErrors errors) {
    if (!value.isEmpty()) {
      Checks.complaints(PARENT.child(field), value, Names.pathSegment(value, false), errors);
    }
  }

  private static List<String> complaints(String name) {
    var errors = new FieldErrors();
    IpAddresses.validate(FieldPath.of("name"), name, List.of(), errors);
    return errors.list().stream()
        .map(error -> error.text().substring(error.text().lastIndexOf("\": ") + 3))
        .toList();
  }

  @Override
  public void validateUpdate(Tree object, Tree old, FieldErrors errors) {
    super.validateUpdate(object, old, errors);
    Checks.immutable(PARENT, object.at("spec", "parentRef"), old.at("spec", "parentRef"), errors);
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
