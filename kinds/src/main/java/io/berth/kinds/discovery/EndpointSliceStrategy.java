package io.berth.kinds.discovery;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.Fields;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.Write;
import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.IpAddresses;
import io.berth.kinds.meta.Names;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// `discovery.k8s.io/v1 endpointslices`
///
/// Mirrors: registry/discovery/endpointslice.endpointSliceStrategy,
/// discovery/validation.ValidateEndpointSlice
public final class EndpointSliceStrategy extends PlainStrategy {

  private static final int MAX_ENDPOINTS = 1000;
  private static final int MAX_PORTS = 20_000;
  private static final int MAX_ADDRESSES = 100;
  private static final int MAX_HINTS = 8;
  private static final List<String> TYPES = List.of("FQDN", "IPv4", "IPv6");

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
  public void validateUpdate(Cursor object, Tree old) {
    super.validateUpdate(object, old);
    var type = object.at("addressType").declared();
    if (!Objects.equals(type.value(), old.get("addressType"))) {
      type.oneOf();
      type.invalid(null, Checks.IMMUTABLE);
    }
  }

  @Override
  protected void validate(Cursor object, @Nullable Tree old) {
    var type = object.text("addressType");
    if (old == null) {
      object.at("addressType").declared().oneOf();
    }
    if (object.at("endpoints").atMostItems(MAX_ENDPOINTS).list().size() <= MAX_ENDPOINTS) {
      object.each("endpoints", endpoint -> validateEndpoint(endpoint, type));
    }
    if (object.at("ports").atMostItems(MAX_PORTS).list().size() <= MAX_PORTS) {
      validatePorts(object.each("ports"));
    }
  }

  private static void validateEndpoint(Cursor endpoint, String type) {
    var addresses = endpoint.at("addresses");
    addresses.declared().required().atMostItems(MAX_ADDRESSES);
    if (TYPES.contains(type)) {
      addresses.each().forEach(address -> validateAddress(address, type));
    }
    endpoint.at("nodeName").ifSet().follows(Names::dnsSubdomain);
    endpoint.at("hostname").ifSet().follows(Names::dnsLabel);
    if (validateHints(endpoint.at("hints", "forZones"), Names::labelValue)) {
      validateHints(endpoint.at("hints", "forNodes"), Names::dnsSubdomain);
    }
  }

  /// Says whether there are few enough.
  private static boolean validateHints(Cursor hints, Function<String, List<String>> rule) {
    if (hints.atMostItems(MAX_HINTS).list().size() > MAX_HINTS) {
      return false;
    }
    var names = new HashSet<String>();
    hints.each().forEach(hint -> hint.at("name").unique(names).follows(rule));
    return true;
  }

  private static void validateAddress(Cursor address, String type) {
    if (type.equals("FQDN")) {
      validateDomain(address);
    } else if (IpAddresses.parse(address.text()) == null) {
      address.invalid("must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)");
    } else if (type.equals("IPv4") && !IpAddresses.is4(address.text())) {
      address.invalid("must be an IPv4 address");
    } else if (type.equals("IPv6") && !IpAddresses.is6(address.text())) {
      address.invalid("must be an IPv6 address");
    }
  }

  /// A fully qualified domain name, perhaps with the dot at its end.
  private static void validateDomain(Cursor address) {
    var text = address.required().text();
    var name = text.endsWith(".") ? text.substring(0, text.length() - 1) : text;
    var complaints = Names.dnsSubdomain(name);
    if (text.isEmpty()) {
      return;
    }
    if (!complaints.isEmpty()) {
      address.invalid(name, String.join(",", complaints));
    } else if (!name.contains(".")) {
      address.invalid(name, "should be a domain with at least two segments separated by dots");
    } else {
      for (var label : name.split("\\.", -1)) {
        var wrong = Names.dnsLabel(label);
        if (!wrong.isEmpty()) {
          address.invalid(label, String.join(",", wrong));
          return;
        }
      }
    }
  }

  private static void validatePorts(List<Cursor> ports) {
    var names = new HashSet<String>();
    for (var port : ports) {
      port.at("name").ifFilled().follows(Names::dnsLabel);
      port.at("name").unique(names);
      port.at("protocol").supported();
      port.at("appProtocol").ifSet().follows(Names::qualifiedName);
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
