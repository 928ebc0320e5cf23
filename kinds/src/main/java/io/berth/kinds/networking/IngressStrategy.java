package io.berth.kinds.networking;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.Write;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.ObjectMeta;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// `networking.k8s.io/v1 ingresses`
///
/// Mirrors: registry/networking/ingress.ingressStrategy,
/// networking/validation.ValidateIngressCreate
public final class IngressStrategy extends PlainStrategy {

  private static final String CLASS_ANNOTATION = "kubernetes.io/ingress.class";
  private static final int HOSTS_SHOWN = 3;

  public IngressStrategy(Resource resource) {
    super(resource);
  }

  @Override
  public void prepareForCreate(Tree object, Write write) {
    object.put("status", Tree.of("loadBalancer", new Tree()));
  }

  @Override
  public void validateCreate(Cursor object) {
    super.validateCreate(object);
    var annotated = object.tree().text("metadata", "annotations", CLASS_ANNOTATION);
    var named = object.tree().text("spec", "ingressClassName");
    if (annotated != null && named != null && !annotated.equals(named)) {
      object
          .at("annotations", CLASS_ANNOTATION)
          .invalid(annotated, "must match `ingressClassName` when both are specified");
    }
  }

  @Override
  public void validateUpdate(Cursor object, Tree old) {
    ObjectMeta.validateUpdate(object, old);
    super.validateCreate(object);
  }

  @Override
  protected void validate(Cursor object, @Nullable Tree old) {
    IngressSpecs.validate(object.at("spec"));
  }

  @Override
  public List<String> warningsOnCreate(Tree object) {
    return object.at("metadata", "annotations", CLASS_ANNOTATION) == null
        ? List.of()
        : List.of(
            "annotation \"%s\" is deprecated, please use 'spec.ingressClassName' instead"
                .formatted(CLASS_ANNOTATION));
  }

  @Override
  public List<@Nullable Object> cells(Tree object, Instant now) {
    var named = object.text("spec", "ingressClassName");
    return Cells.row(
        Cells.name(object),
        named == null ? Cells.NONE : named,
        hosts(object.trees("spec", "rules")),
        addresses(object.trees("status", "loadBalancer", "ingress")),
        object.list("spec", "tls").isEmpty() ? "80" : "80, 443",
        Cells.age(object, now));
  }

  private static String hosts(List<Tree> rules) {
    var hosts = new ArrayList<String>();
    boolean more = false;
    for (var rule : rules) {
      var host = rule.textOrEmpty("host");
      more |= hosts.size() == HOSTS_SHOWN;
      if (!more && !host.isEmpty()) {
        hosts.add(host);
      }
    }
    if (hosts.isEmpty()) {
      return "*";
    }
    var shown = String.join(",", hosts);
    return more ? "%s + %d more...".formatted(shown, rules.size() - HOSTS_SHOWN) : shown;
  }

  private static String addresses(List<Tree> points) {
    var addresses = new TreeSet<String>();
    for (var point : points) {
      var ip = point.textOrEmpty("ip");
      var address = ip.isEmpty() ? point.textOrEmpty("hostname") : ip;
      if (!address.isEmpty()) {
        addresses.add(address);
      }
    }
    return String.join(",", addresses);
  }
}
