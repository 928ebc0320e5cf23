package io.berth.kinds.core;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.Fields;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.IpAddresses;
import io.berth.kinds.meta.Names;
import io.berth.kinds.meta.ObjectMeta;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Endpoints, the older form of endpoint slices.
public final class EndpointsStrategy extends PlainStrategy {

  private static final FieldPath SUBSETS = FieldPath.of("subsets");
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
  public void validateCreate(Tree endpoints, FieldErrors errors) {
    super.validateCreate(endpoints, errors);
    subsets(endpoints.trees("subsets"), errors);
  }

  @Override
  public void validateUpdate(Tree endpoints, Tree old, FieldErrors errors) {
    ObjectMeta.validateUpdate(endpoints, old, errors);
    super.validateCreate(endpoints, errors);
    if (Fields.differs(endpoints, old, "subsets")) {
      subsets(endpoints.trees("subsets"), errors);
    }
  }

  private static void subsets(List<Tree> subsets, FieldErrors errors) {
    for (int i = 0; i < subsets.size(); i++) {
      var subset = subsets.get(i);
      var path = SUBSETS.index(i);
      var ready = subset.trees("addresses");
      var notReady = subset.trees("notReadyAddresses");
      if (ready.isEmpty() && notReady.isEmpty()) {
        errors.required(path, "must specify `addresses` or `notReadyAddresses`");
      }
      for (int a = 0; a < ready.size(); a++) {
        address(ready.get(a), path.child("addresses").index(a), errors);
      }
      for (int a = 0; a < notReady.size(); a++) {
        address(notReady.get(a), path.child("notReadyAddresses").index(a), errors);
      }
      var ports = subset.trees("ports");
      for (int p = 0; p < ports.size(); p++) {
        port(ports.get(p), ports.size() > 1, path.child("ports").index(p), errors);
      }
    }
  }

  private static void address(Tree address, FieldPath path, FieldErrors errors) {
    var ip = address.textOrEmpty("ip");
    IpAddresses.validate(path.child("ip"), ip, List.of(), errors);
    var hostname = address.textOrEmpty("hostname");
    if (!hostname.isEmpty()) {
      Checks.dnsLabel(path.child("hostname"), hostname, errors);
    }
    if (address.get("nodeName") instanceof String node) {
      Checks.dnsSubdomain(path.child("nodeName"), node, errors);
    }
    IpAddresses.validateReachable(path.child("ip"), ip, errors);
  }

  private static void port(Tree port, boolean named, FieldPath path, FieldErrors errors) {
    var name = port.textOrEmpty("name");
    if (!name.isEmpty()) {
      Checks.dnsLabel(path.child("name"), name, errors);
    } else if (named) {
      errors.required(path.child("name"));
    }
    long number = port.number(0, "port");
    Checks.complaints(path.child("port"), number, Names.portNumber(number), errors);
    Checks.oneOf(
        path.child("protocol"),
        port.textOrEmpty("protocol"),
        List.of("SCTP", "TCP", "UDP"),
        errors);
    if (port.get("appProtocol") instanceof String protocol) {
      Checks.qualifiedName(path.child("appProtocol"), protocol, errors);
    }
  }

  @Override
  public boolean allowCreateOnUpdate() {
    return true;
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
