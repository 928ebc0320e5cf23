package io.berth.schema.cel;

import static io.berth.schema.cel.KubernetesFunctions.STRING;
import static io.berth.schema.cel.KubernetesFunctions.problem;

import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.SimpleType;
import dev.cel.runtime.CelEvaluationException;
import io.berth.api.FieldError;
import io.berth.schema.cel.Functions.Parameter;
import org.jspecify.annotations.Nullable;

/// IP addresses and blocks of them.
final class AddressFunctions {

  private static final OpaqueType IP_TYPE = OpaqueType.create("net.IP");
  private static final OpaqueType CIDR_TYPE = OpaqueType.create("net.CIDR");
  private static final Parameter<IpAddress> IP = new Parameter<>(IP_TYPE, IpAddress.class);
  private static final Parameter<IpBlock> CIDR = new Parameter<>(CIDR_TYPE, IpBlock.class);

  private AddressFunctions() {}

  static void addTo(Functions functions) {
    addAddresses(functions);
    addBlocks(functions);
  }

  private static void addAddresses(Functions functions) {
    var bool = SimpleType.BOOL;
    functions.global("ip", "string_to_ip", IP_TYPE, STRING, AddressFunctions::ip);
    functions.global("isIP", "is_ip", bool, STRING, text -> IpAddress.parse(text) != null);
    functions.global(
        "ip.isCanonical",
        "ip_is_canonical",
        bool,
        STRING,
        text -> ip(text).toString().equals(text));
    functions.global("string", "ip_to_string", SimpleType.STRING, IP, IpAddress::toString);
    functions.member(
        "family", "ip_family", SimpleType.INT, IP, ip -> ip.bytes().length == 4 ? 4L : 6L);
    functions.member("isUnspecified", "ip_is_unspecified", bool, IP, IpAddress::isUnspecified);
    functions.member("isLoopback", "ip_is_loopback", bool, IP, IpAddress::isLoopback);
    functions.member(
        "isLinkLocalMulticast",
        "ip_is_link_local_multicast",
        bool,
        IP,
        IpAddress::isLinkLocalMulticast);
    functions.member(
        "isLinkLocalUnicast", "ip_is_link_local_unicast", bool, IP, IpAddress::isLinkLocalUnicast);
    functions.member(
        "isGlobalUnicast", "ip_is_global_unicast", bool, IP, IpAddress::isGlobalUnicast);
  }

  private static void addBlocks(Functions functions) {
    var bool = SimpleType.BOOL;
    functions.global("cidr", "string_to_cidr", CIDR_TYPE, STRING, AddressFunctions::cidr);
    functions.global("isCIDR", "is_cidr", bool, STRING, text -> IpBlock.parse(text) != null);
    functions.global("string", "cidr_to_string", SimpleType.STRING, CIDR, IpBlock::toString);
    functions.member("ip", "cidr_ip", IP_TYPE, CIDR, IpBlock::address);
    functions.member(
        "prefixLength", "cidr_prefix_length", SimpleType.INT, CIDR, block -> (long) block.prefix());
    functions.member("masked", "cidr_masked", CIDR_TYPE, CIDR, IpBlock::masked);
    functions.member("containsIP", "cidr_contains_ip_ip", bool, CIDR, IP, IpBlock::contains);
    functions.member(
        "containsIP",
        "cidr_contains_ip_string",
        bool,
        CIDR,
        STRING,
        (block, text) -> block.contains(ip(text)));
    functions.member("containsCIDR", "cidr_contains_cidr", bool, CIDR, CIDR, IpBlock::contains);
    functions.member(
        "containsCIDR",
        "cidr_contains_cidr_string",
        bool,
        CIDR,
        STRING,
        (block, text) -> block.contains(cidr(text)));
  }

  private static IpAddress ip(String text) throws CelEvaluationException {
    return found(
        IpAddress.parse(text),
        "IP Address %s parse error during conversion from string: ParseAddr(%s): unable to parse IP"
            .formatted(FieldError.quoted(text), FieldError.quoted(text)));
  }

  private static IpBlock cidr(String text) throws CelEvaluationException {
    return found(
        IpBlock.parse(text),
        "network address parse error during conversion from string: netip.ParsePrefix(%s): no '/'"
            .formatted(FieldError.quoted(text)));
  }

  private static <T> T found(@Nullable T value, String message) throws CelEvaluationException {
    if (value == null) {
      throw problem(message);
    }
    return value;
  }
}
