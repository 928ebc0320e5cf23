package io.berth.kinds.core;

import io.berth.api.ApiException;
import io.berth.api.Chance;
import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.meta.IpAddresses;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/// The addresses and node ports that services hold: each belongs to one service.
///
/// Addresses come from 10.96.0.0/16, ports from 30000 to 32767. Both are bitmaps, guarded by this
/// object; what services of an earlier run hold is told by [#adopt].
///
/// Mirrors: registry/core/service/ipallocator.Allocator
public final class ServiceAddresses {

  public static final String RANGE = "10.96.0.0/16";
  private static final String PREFIX = "10.96.";
  private static final int ADDRESSES = 1 << 16;
  private static final int FIRST_PORT = 30000;
  private static final int LAST_PORT = 32767;

  // The first addresses are left to those who ask for them by number, as in Kubernetes.
  private static final int RESERVED_ADDRESSES = 257;
  private static final int RESERVED_PORTS = 86;

  private final BitSet addresses = new BitSet(ADDRESSES);
  private final BitSet ports = new BitSet(LAST_PORT - FIRST_PORT + 1);

  /// Everything one write takes; given back as a whole.
  final class Hold {

    private final List<String> heldAddresses = new ArrayList<>();
    private final List<Integer> heldPorts = new ArrayList<>();
    private final boolean rehearsed;

    Hold(boolean rehearsed) {
      this.rehearsed = rehearsed;
    }

    /// Takes a free address.
    String takeAddress() {
      synchronized (ServiceAddresses.this) {
        int at = free(addresses, RESERVED_ADDRESSES, ADDRESSES - 1, 1);
        var address = PREFIX + (at >> 8) + "." + (at & 0xff);
        hold(at, address);
        return address;
      }
    }

    /// Takes this very address or says why it cannot be had.
    String takeAddress(String address) {
      int at = indexOf(address);
      if (at <= 0 || at == ADDRESSES - 1) {
        // As in Kubernetes, a dry run asks the only range, everybody else for a range.
        return rehearsed
            ? "the provided IP (%s) is not in the valid range. The range of valid IPs is %s"
                .formatted(address, RANGE)
            : "the provided network does not match the current range";
      }
      synchronized (ServiceAddresses.this) {
        if (addresses.get(at)) {
          return "provided IP is already allocated";
        }
        hold(at, address);
        return "";
      }
    }

    private void hold(int at, String address) {
      if (!rehearsed) {
        addresses.set(at);
        heldAddresses.add(address);
      }
    }

    int takePort() {
      synchronized (ServiceAddresses.this) {
        if (rehearsed) {
          int last = heldPorts.stream().mapToInt(each -> each).max().orElse(LAST_PORT + 1);
          heldPorts.add(last + 1);
          return last + 1;
        }
        int at = free(ports, RESERVED_PORTS, LAST_PORT - FIRST_PORT + 1, 0);
        ports.set(at);
        heldPorts.add(FIRST_PORT + at);
        return FIRST_PORT + at;
      }
    }

    /// Takes this very port or says why it cannot be had.
    String takePort(long port) {
      boolean inRange = port >= FIRST_PORT && port <= LAST_PORT;
      // As in Kubernetes, a dry run does not mind the range.
      if (!inRange && !rehearsed) {
        return "provided port is not in the valid range. The range of valid ports is 30000-32767";
      }
      synchronized (ServiceAddresses.this) {
        int at = (int) port - FIRST_PORT;
        if (heldPorts.contains((int) port) || (inRange && ports.get(at))) {
          return "provided port is already allocated";
        }
        if (!rehearsed) {
          ports.set(at);
        }
        heldPorts.add((int) port);
        return "";
      }
    }

    void giveBack() {
      synchronized (ServiceAddresses.this) {
        heldAddresses.forEach(address -> addresses.clear(indexOf(address)));
        if (!rehearsed) {
          heldPorts.forEach(port -> ports.clear(port - FIRST_PORT));
        }
        heldAddresses.clear();
        heldPorts.clear();
      }
    }
  }

  Hold hold() {
    return new Hold(false);
  }

  /// A hold that takes nothing: what a dry run is shown need not be what it would get.
  Hold rehearse() {
    return new Hold(true);
  }

  /// Marks what a stored service holds.
  synchronized void adopt(Tree service) {
    for (var address : service.list("spec", "clusterIPs")) {
      int at = indexOf(String.valueOf(address));
      if (at >= 0) {
        addresses.set(at);
      }
    }
    for (var port : nodePorts(service)) {
      if (port >= FIRST_PORT && port <= LAST_PORT) {
        ports.set((int) (port - FIRST_PORT));
      }
    }
  }

  /// Frees what `service` held and `now`, which may be an empty tree, does not.
  synchronized void release(Tree service, Tree now) {
    for (var address : service.list("spec", "clusterIPs")) {
      int at = indexOf(String.valueOf(address));
      if (at >= 0 && !now.list("spec", "clusterIPs").contains(address)) {
        addresses.clear(at);
      }
    }
    var kept = nodePorts(now);
    for (var port : nodePorts(service)) {
      if (port >= FIRST_PORT && port <= LAST_PORT && !kept.contains(port)) {
        ports.clear((int) (port - FIRST_PORT));
      }
    }
  }

  static List<Long> nodePorts(Tree service) {
    var all = new ArrayList<Long>();
    for (var port : service.trees("spec", "ports")) {
      all.add(port.number(0, "nodePort"));
    }
    all.add(service.number(0, "spec", "healthCheckNodePort"));
    all.removeIf(port -> port == 0);
    return all;
  }

  // Random from the upper part, then whatever is left, from the first usable one on.
  private static int free(BitSet taken, int reserved, int end, int first) {
    int start = Chance.or(ThreadLocalRandom.current()).nextInt(reserved, end);
    int at = taken.nextClearBit(start);
    if (at >= end) {
      at = taken.nextClearBit(reserved);
    }
    if (at >= end) {
      at = taken.nextClearBit(first);
    }
    if (at >= end) {
      throw new ApiException(
          500, "InternalError", "Internal error occurred: failed to allocate: range is full");
    }
    return at;
  }

  private static int indexOf(String address) {
    var bytes = IpAddresses.parse(address);
    if (bytes == null || bytes.length != 4 || bytes[0] != 10 || bytes[1] != 96) {
      return -1;
    }
    int at = ((bytes[2] & 0xff) << 8) | (bytes[3] & 0xff);
    return at == 0 || at == ADDRESSES - 1 ? -1 : at;
  }

  static RuntimeException invalid(Tree service, FieldPath path, Object value, String detail) {
    var errors = new FieldErrors();
    errors.invalid(path, value, detail);
    return errors.toException(Resource.SERVICES, service.textOrEmpty("metadata", "name"));
  }
}
