package io.berth.kinds.core;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.Fields;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.IpAddresses;
import io.berth.kinds.meta.Names;
import io.berth.kinds.meta.ObjectMeta;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Endpoints, the older form of endpoint slices.
///
/// Mirrors: registry/core/endpoint.endpointsStrategy, core/validation.ValidateEndpointsCreate
public final class EndpointsStrategy extends PlainStrategy {

  private static final int SHOWN = 3;

  public EndpointsStrategy() {
    super(Resource.ENDPOINTS);
  }

  @Override
  public void setDefaults(Tree endpoints) {
    for (var subset : endpoints.trees("subsets")) {
      subset.trees("ports").forEach(port -> PodSpecDefaults.text(port, "protocol", "TCP"));
    }
  }

  @Override
  public void validateCreate(Cursor endpoints) {
    super.validateCreate(endpoints);
    endpoints.each("subsets", EndpointsStrategy::subset);
  }

  @Override
  public void validateUpdate(Cursor endpoints, Tree old) {
    ObjectMeta.validateUpdate(endpoints, old);
    super.validateCreate(endpoints);
    if (Fields.differs(endpoints.tree(), old, "subsets")) {
      endpoints.each("subsets", EndpointsStrategy::subset);
    }
  }

  private static void subset(Cursor subset) {
    if (subset.at("addresses").isEmpty() && subset.at("notReadyAddresses").isEmpty()) {
      subset.missing("must specify `addresses` or `notReadyAddresses`");
    }
    subset.each("addresses", EndpointsStrategy::address);
    subset.each("notReadyAddresses", EndpointsStrategy::address);
    boolean named = subset.at("ports").list().size() > 1;
    subset.each("ports", port -> port(port, named));
  }

  private static void address(Cursor address) {
    IpAddresses.validate(address.at("ip"), List.of());
    address.at("hostname").ifFilled().follows(Names::dnsLabel);
    address.at("nodeName").ifSet().follows(Names::dnsSubdomain);
    IpAddresses.validateReachable(address.at("ip"));
  }

  private static void port(Cursor port, boolean named) {
    port.at("name").ifFilled().follows(Names::dnsLabel);
    if (named) {
      port.at("name").required();
    }
    port.at("port").port();
    port.at("protocol").oneOf();
    port.at("appProtocol").ifSet().follows(Names::qualifiedName);
  }

  @Override
  public List<@Nullable Object> cells(Tree endpoints, Instant now) {
    return Cells.row(
        Cells.name(endpoints), addressCell(endpoints.trees("subsets")), Cells.age(endpoints, now));
  }

  private static String addressCell(List<Tree> subsets) {
    if (subsets.isEmpty()) {
      return Cells.NONE;
    }
    var all = new ArrayList<String>();
    for (var subset : subsets) {
      var ports = subset.trees("ports");
      for (int p = 0; p < Math.max(1, ports.size()); p++) {
        for (var address : subset.trees("addresses")) {
          var ip = address.textOrEmpty("ip");
          all.add(ports.isEmpty() ? ip : hostPort(ip, ports.get(p).number(0, "port")));
        }
      }
    }
    var shown = String.join(",", all.subList(0, Math.min(SHOWN, all.size())));
    return all.size() > SHOWN ? "%s + %d more...".formatted(shown, all.size() - SHOWN) : shown;
  }

  private static String hostPort(String ip, long port) {
    return ip.indexOf(':') >= 0 ? "[" + ip + "]:" + port : ip + ":" + port;
  }
}
