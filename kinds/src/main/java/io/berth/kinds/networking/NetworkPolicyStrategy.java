package io.berth.kinds.networking;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.IpAddresses;
import io.berth.kinds.meta.LabelSelectors;
import io.berth.kinds.meta.Names;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// `networking.k8s.io/v1 networkpolicies`
///
/// Mirrors: registry/networking/networkpolicy.networkPolicyStrategy,
/// networking/validation.ValidateNetworkPolicySpec
public final class NetworkPolicyStrategy extends PlainStrategy {

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
  protected void validate(Cursor object, @Nullable Tree old) {
    var before = old == null ? new Tree() : old.treeOrEmpty("spec");
    boolean lenient = LabelSelectors.hasBadValues(before.tree("podSelector"));
    new Rules(lenient, blocks(before)).all(object.at("spec"));
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
  private record Rules(boolean badValues, List<String> storedBlocks) {

    void all(Cursor spec) {
      LabelSelectors.validate(spec.at("podSelector"), badValues);
      direction(spec.each("ingress"), "from");
      direction(spec.each("egress"), "to");
      var types = spec.at("policyTypes");
      if (types.list().size() > TYPES.size()) {
        types.invalid("may not specify more than two policyTypes");
        return;
      }
      types.each().forEach(type -> type.supported(TYPES));
    }

    private void direction(List<Cursor> rules, String peers) {
      for (var rule : rules) {
        rule.each("ports", Rules::port);
        rule.each(peers, this::peer);
      }
    }

    private static void port(Cursor port) {
      port.at("protocol").ifSet().supported(PROTOCOLS);
      var end = port.at("endPort").ifSet();
      switch (port.at("port").value()) {
        case Long first -> {
          port.at("port").port();
          if (end.number() < first) {
            end.invalid("must be greater than or equal to `port`");
          }
          end.port();
        }
        case String _ -> {
          end.invalid("may not be specified when `port` is non-numeric");
          port.at("port").follows(Names::portName);
        }
        case null, default -> end.invalid("may not be specified when `port` is not specified");
      }
    }

    private void peer(Cursor peer) {
      int kinds = 0;
      for (var selector : peer.fields("podSelector", "namespaceSelector")) {
        kinds += selector.isSet() ? 1 : 0;
        LabelSelectors.validate(selector, badValues);
      }
      var block = peer.at("ipBlock");
      block.ifSet(this::block);
      if (kinds == 0 && !block.isSet()) {
        peer.missing("must specify a peer");
      } else if (kinds > 0 && block.isSet()) {
        peer.forbidden("may not specify both ipBlock and another peer");
      }
    }

    private void block(Cursor block) {
      var cidr = block.at("cidr").required();
      if (!cidr.isSet() || !IpAddresses.validateCidr(cidr, storedBlocks)) {
        return;
      }
      for (var except : block.each("except")) {
        if (IpAddresses.validateCidr(except, storedBlocks)
            && !Blocks.isStrictlyWithin(except.text(), cidr.text())) {
          except.invalid("must be a strict subset of `cidr`");
        }
      }
    }
  }
}
