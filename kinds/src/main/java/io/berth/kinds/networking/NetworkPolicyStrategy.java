package io.berth.kinds.networking;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.Fields;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.Write;
import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.IpAddresses;
import io.berth.kinds.meta.LabelSelectors;
import io.berth.kinds.meta.Names;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// `networking.k8s.io/v1 networkpolicies`
public final class NetworkPolicyStrategy extends PlainStrategy {

  private static final FieldPath SPEC = FieldPath.of("spec");
  private static final List<String> PROTOCOLS = List.of("TCP", "UDP", "SCTP");
  private static final List<String> TYPES = List.of("Ingress", "Egress");

  public NetworkPolicyStrategy(Resource resource) {
    super(resource);
  }

  @Override
  public void setDefaults(Tree object) {
    var spec = object.child("spec");
    spec.child("podSelector");
    for (var direction : List.of("ingress", "egress")) {
      for (var rule : spec.trees(direction)) {
        rule.trees("ports").forEach(port -> port.putIfAbsent("protocol", "TCP"));
      }
    }
    if (spec.list("policyTypes").isEmpty()) {
      spec.put("policyTypes", spec.list("egress").isEmpty() ? List.of("Ingress") : TYPES);
    }
  }

  @Override
  public void prepareForCreate(Tree object, Write write) {
    Fields.firstGeneration(object);
  }

  @Override
  public void prepareForUpdate(Tree object, Tree old, Write write) {
    Fields.countGeneration(object, old, "spec");
  }

  @Override
  public void validateCreate(Tree object, FieldErrors errors) {
    super.validateCreate(object, errors);
    new Rules(object.treeOrEmpty("spec"), false, List.of(), errors).all();
  }

  @Override
  public void validateUpdate(Tree object, Tree old, FieldErrors errors) {
    super.validateUpdate(object, old, errors);
    var before = old.treeOrEmpty("spec");
    boolean lenient = LabelSelectors.hasBadValues(before.tree("podSelector"));
    new Rules(object.treeOrEmpty("spec"), lenient, blocks(before), errors).all();
  }

  /// Blocks of addresses that the stored policy has may stay, whatever rules came later.
  private static List<String> blocks(Tree spec) {
    var blocks = new ArrayList<String>();
    for (var direction : List.of("ingress", "egress")) {
      for (var rule : spec.trees(direction)) {
        for (var peer : rule.trees(direction.equals("ingress") ? "from" : "to")) {
          blocks.add(peer.textOrEmpty("ipBlock", "cidr"));
          peer.list("ipBlock", "except").forEach(each -> blocks.add(String.valueOf(each)));
        }
      }
    }
    return blocks;
  }

  @Override
  public List<@Nullable Object> cells(Tree object, Instant now) {
    return Cells.row(
        Cells.name(object),
        LabelSelectors.format(object.tree("spec", "podSelector")),
        Cells.age(object, now));
  }

  /// One look at a spec.
  private record Rules(
      Tree spec, boolean badValues, List<String> storedBlocks, FieldErrors errors) {

    void all() {
      selector(spec.tree("podSelector"), SPEC.child("podSelector"));
      direction("ingress", "from");
      direction("egress", "to");
      var types = spec.list("policyTypes");
      if (types.size() > TYPES.size()) {
        errors.invalid(
            SPEC.child("policyTypes"), types, "may not specify more than two policyTypes");
        return;
      }
      for (int i = 0; i < types.size(); i++) {
        var path = SPEC.child("policyTypes").index(i);
        Checks.supported(path, String.valueOf(types.get(i)), TYPES, errors);
      }
    }

    private void selector(@Nullable Tree selector, FieldPath path) {
      LabelSelectors.validate(selector, badValues, path, errors);
    }

    private void direction(String direction, String peers) {
      var rules = spec.trees(direction);
      for (int i = 0; i < rules.size(); i++) {
        var path = SPEC.child(direction).index(i);
        var ports = rules.get(i).trees("ports");
        for (int j = 0; j < ports.size(); j++) {
          port(ports.get(j), path.child("ports").index(j));
        }
        var all = rules.get(i).trees(peers);
        for (int j = 0; j < all.size(); j++) {
          peer(all.get(j), path.child(peers).index(j));
        }
      }
    }

    private void port(Tree port, FieldPath path) {
      var protocol = port.text("protocol");
      if (protocol != null) {
        Checks.supported(path.child("protocol"), protocol, PROTOCOLS, errors);
      }
      var end = port.get("endPort");
      var endPath = path.child("endPort");
      switch (port.get("port")) {
        case Long number -> {
          Checks.complaints(path.child("port"), number, Names.portNumber(number), errors);
          if (end instanceof Long last) {
            if (last < number) {
              errors.invalid(endPath, last, "must be greater than or equal to `port`");
            }
            Checks.complaints(endPath, last, Names.portNumber(last), errors);
          }
        }
        case String name -> {
          if (end != null) {
            errors.invalid(endPath, end, "may not be specified when `port` is non-numeric");
          }
          Checks.complaints(path.child("port"), name, Names.portName(name), errors);
        }
        case null, default -> {
          if (end != null) {
            errors.invalid(endPath, end, "may not be specified when `port` is not specified");
          }
        }
      }
    }

    private void peer(Tree peer, FieldPath path) {
      int kinds = 0;
      for (var field : List.of("podSelector", "namespaceSelector")) {
        if (peer.has(field)) {
          kinds++;
          selector(peer.tree(field), path.child(field));
        }
      }
      var block = peer.tree("ipBlock");
      if (block != null) {
        kinds++;
        block(block, path.child("ipBlock"));
      }
      if (kinds == 0) {
        errors.required(path, "must specify a peer");
      } else if (kinds > 1 && block != null) {
        errors.forbidden(path, "may not specify both ipBlock and another peer");
      }
    }

    private void block(Tree block, FieldPath path) {
      var cidr = block.textOrEmpty("cidr");
      if (!Checks.required(path.child("cidr"), cidr, errors)) {
        return;
      }
      int before = errors.size();
      IpAddresses.validateCidr(path.child("cidr"), cidr, storedBlocks, errors);
      if (errors.size() > before) {
        return;
      }
      var excepted = block.list("except");
      for (int i = 0; i < excepted.size(); i++) {
        var except = String.valueOf(excepted.get(i));
        var exceptPath = path.child("except").index(i);
        int known = errors.size();
        IpAddresses.validateCidr(exceptPath, except, storedBlocks, errors);
        if (errors.size() == known && !Blocks.isStrictlyWithin(except, cidr)) {
          errors.invalid(exceptPath, except, "must be a strict subset of `cidr`");
        }
      }
    }
  }
}
