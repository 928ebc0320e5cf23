package io.berth.kinds.discovery;

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
import io.berth.kinds.meta.Names;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// `discovery.k8s.io/v1 endpointslices`
public final class EndpointSliceStrategy extends PlainStrategy {

  private static final int MAX_ENDPOINTS = 1000;
  private static final int MAX_PORTS = 20_000;
  private static final int MAX_ADDRESSES = 100;
  private static final int MAX_HINTS = 8;
  private static final List<String> TYPES = List.of("FQDN", "IPv4", "IPv6");
  private static final List<String> PROTOCOLS = List.of("SCTP", "TCP", "UDP");

  public EndpointSliceStrategy() {
    super(Resource.ENDPOINT_SLICES);
  }

  @Override
  public void setDefaults(Tree object) {
    for (var port : object.trees("ports")) {
      port.putIfAbsent("name", "");
      port.putIfAbsent("protocol", "TCP");
    }
  }

  @Override
  public void prepareForCreate(Tree object, Write write) {
    dropTopology(object);
    Fields.firstGeneration(object);
  }

  // As in Kubernetes: this version only shows what older ones wrote.
  private static void dropTopology(Tree object) {
    object.trees("endpoints").forEach(endpoint -> endpoint.remove("deprecatedTopology"));
  }

  @Override
  public void prepareForUpdate(Tree object, Tree old, Write write) {
    dropTopology(object);
    if (!object.trees("endpoints").equals(old.trees("endpoints"))
        || !object.trees("ports").equals(old.trees("ports"))
        || !Objects.equals(object.get("addressType"), old.get("addressType"))) {
      Fields.nextGeneration(object, old);
    }
  }

  @Override
  public void validateCreate(Tree object, FieldErrors errors) {
    super.validateCreate(object, errors);
    var type = object.textOrEmpty("addressType");
    Checks.oneOf(FieldPath.of("addressType"), type, TYPES, errors.declared());
    validateEndpoints(object.trees("endpoints"), type, errors);
    validatePorts(object.trees("ports"), errors);
  }

  private static void validateEndpoints(List<Tree> endpoints, String type, FieldErrors errors) {
    var path = FieldPath.of("endpoints");
    if (endpoints.size() > MAX_ENDPOINTS) {
      errors.tooMany(path, endpoints.size(), MAX_ENDPOINTS);
      return;
    }
    for (int i = 0; i < endpoints.size(); i++) {
      var endpoint = endpoints.get(i);
      validateAddresses(endpoint, type, path.index(i).child("addresses"), errors);
      var node = endpoint.text("nodeName");
      if (node != null) {
        Checks.dnsSubdomain(path.index(i).child("nodeName"), node, errors);
      }
      var host = endpoint.text("hostname");
      if (host != null) {
        Checks.dnsLabel(path.index(i).child("hostname"), host, errors);
      }
      validateHints(endpoint, path.index(i).child("hints"), errors);
    }
  }

  private static void validateHints(Tree endpoint, FieldPath path, FieldErrors errors) {
    for (var list : List.of("forZones", "forNodes")) {
      var hints = endpoint.trees("hints", list);
      if (hints.size() > MAX_HINTS) {
        errors.tooMany(path.child(list), hints.size(), MAX_HINTS);
        return;
      }
      var names = new HashSet<String>();
      for (int i = 0; i < hints.size(); i++) {
        var name = hints.get(i).textOrEmpty("name");
        var at = path.child(list).index(i).child("name");
        if (!names.add(name)) {
          errors.duplicate(at, name);
        }
        var complaints =
            list.equals("forZones") ? Names.labelValue(name) : Names.dnsSubdomain(name);
        Checks.complaints(at, name, complaints, errors);
      }
    }
  }

  private static void validateAddresses(
      Tree endpoint, String type, FieldPath path, FieldErrors errors) {
    var addresses = endpoint.list("addresses");
    if (addresses.isEmpty()) {
      errors.declared().required(path);
    } else if (addresses.size() > MAX_ADDRESSES) {
      errors.declared().tooMany(path, addresses.size(), MAX_ADDRESSES);
    }
    if (!TYPES.contains(type)) {
      return;
    }
    for (int i = 0; i < addresses.size(); i++) {
      var address = String.valueOf(addresses.get(i));
      if (type.equals("FQDN")) {
        validateDomain(path.index(i), address, errors);
      } else if (IpAddresses.parse(address) == null) {
        errors.invalid(
            path.index(i),
            address,
            "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)");
      } else if (type.equals("IPv4") && !IpAddresses.is4(address)) {
        errors.invalid(path.index(i), address, "must be an IPv4 address");
      } else if (type.equals("IPv6") && !IpAddresses.is6(address)) {
        errors.invalid(path.index(i), address, "must be an IPv6 address");
      }
    }
  }

  /// A fully qualified domain name, perhaps with the dot at its end.
  private static void validateDomain(FieldPath path, String address, FieldErrors errors) {
    var name = address.endsWith(".") ? address.substring(0, address.length() - 1) : address;
    var complaints = Names.dnsSubdomain(name);
    if (Checks.required(path, address, errors) && !complaints.isEmpty()) {
      errors.invalid(path, name, String.join(",", complaints));
    } else if (!address.isEmpty() && !name.contains(".")) {
      errors.invalid(path, name, "should be a domain with at least two segments separated by dots");
    } else {
      for (var label : name.split("\\.", -1)) {
        var wrong = Names.dnsLabel(label);
        if (!address.isEmpty() && !wrong.isEmpty()) {
          errors.invalid(path, label, String.join(",", wrong));
          return;
        }
      }
    }
  }

  private static void validatePorts(List<Tree> ports, FieldErrors errors) {
    var path = FieldPath.of("ports");
    if (ports.size() > MAX_PORTS) {
      errors.tooMany(path, ports.size(), MAX_PORTS);
      return;
    }
    var names = new HashSet<String>();
    for (int i = 0; i < ports.size(); i++) {
      var port = ports.get(i);
      var name = port.textOrEmpty("name");
      if (!name.isEmpty()) {
        Checks.dnsLabel(path.index(i).child("name"), name, errors);
      }
      if (!names.add(name)) {
        errors.duplicate(path.index(i).child("name"), name);
      }
      Checks.supported(
          path.index(i).child("protocol"), port.textOrEmpty("protocol"), PROTOCOLS, errors);
      var application = port.text("appProtocol");
      if (application != null) {
        Checks.complaints(
            path.index(i).child("appProtocol"),
            application,
            Names.qualifiedName(application),
            errors);
      }
    }
  }

  @Override
  public void validateUpdate(Tree object, Tree old, FieldErrors errors) {
    super.validateUpdate(object, old, errors);
    var type = object.textOrEmpty("addressType");
    validateEndpoints(object.trees("endpoints"), type, errors);
    validatePorts(object.trees("ports"), errors);
    if (!type.equals(old.textOrEmpty("addressType"))) {
      var declared = errors.declared();
      Checks.oneOf(FieldPath.of("addressType"), type, TYPES, declared);
      declared.invalid(FieldPath.of("addressType"), null, Checks.IMMUTABLE);
    }
  }

  @Override
  public List<String> warningsOnCreate(Tree object) {
    return object.textOrEmpty("addressType").equals("FQDN")
        ? List.of("spec.addressType: FQDN endpoints are deprecated")
        : List.of();
  }

  @Override
  public List<@Nullable Object> cells(Tree object, Instant now) {
    var ports = new ArrayList<String>();
    for (var port : object.trees("ports")) {
      var name = port.text("name");
      ports.add(
          port.get("port") instanceof Long number ? number.toString() : name == null ? "*" : name);
    }
    var addresses = new ArrayList<String>();
    for (var endpoint : object.trees("endpoints")) {
      endpoint.list("addresses").forEach(each -> addresses.add(String.valueOf(each)));
    }
    return Cells.row(
        Cells.name(object),
        object.textOrEmpty("addressType"),
        summary(ports),
        summary(addresses),
        Cells.age(object, now));
  }

  /// The first three, and how many more there are.
  private static String summary(List<String> items) {
    if (items.isEmpty()) {
      return Cells.UNSET;
    }
    return items.size() <= 3
        ? String.join(",", items)
        : "%s + %d more...".formatted(String.join(",", items.subList(0, 3)), items.size() - 3);
  }
}
