package io.berth.quota.decide;

import io.berth.api.Pod;
import io.berth.api.PodSpec;
import io.berth.api.PodStatus;
import io.berth.quota.GpuRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The shared devices of all nodes: how much of their memory is free.
///
/// A part of a device is counted in bytes of its memory; where a node does not say how much memory
/// its devices have, in millionths. A device is shared from its first user to its last; for that
/// time a *reservation*, a pod that asks for one whole device, takes it out of the engine's count.
final class Devices {

  /// More than any device has, and little enough to be added up for all pods of a node.
  private static final long NEVER = 1L << 55;

  static final String RESERVATIONS = "berth-reservation";

  private final Map<String, Long> memory = new HashMap<>();
  // Nodes without shared devices are not in here. Sorted, so that the order of trials is fixed.
  private final TreeMap<String, TreeMap<Integer, Device>> shared = new TreeMap<>();

  private static final class Device {
    long free;
    int users;
  }

  void memory(String node, long bytes) {
    memory.put(node, bytes);
  }

  /// What one device of the node must have free for the request; more than all if it never has.
  long need(GpuRequest request, String node) {
    long bytes = memory.getOrDefault(node, 0L);
    return switch (request) {
      case GpuRequest.Devices _ -> NEVER;
      case GpuRequest.Portion(var _, var micros) ->
          bytes == 0 ? micros : ceilingOfProduct(bytes, micros);
      case GpuRequest.Memory(var _, var wanted) -> bytes == 0 || wanted > bytes ? NEVER : wanted;
    };
  }

  private static long ceilingOfProduct(long bytes, long micros) {
    long whole = bytes / GpuRequest.Portion.WHOLE * micros;
    long rest = bytes % GpuRequest.Portion.WHOLE * micros;
    return whole + Math.ceilDiv(rest, GpuRequest.Portion.WHOLE);
  }

  private long capacity(String node) {
    long bytes = memory.getOrDefault(node, 0L);
    return bytes == 0 ? GpuRequest.Portion.WHOLE : bytes;
  }

  Iterable<String> nodesWithShared() {
    return shared.keySet();
  }

  /// The shared devices of a node with so much free, the fullest first.
  List<Integer> withFree(String node, long need) {
    var found = new ArrayList<Integer>();
    var devices = shared.getOrDefault(node, new TreeMap<>());
    devices.forEach((number, device) -> {
      if (device.free >= need) {
        found.add(number);
      }
    });
    found.sort((a, b) -> Long.compare(free(devices, a), free(devices, b)));
    return found;
  }

  /// Whether any shared device of the node has so much free.
  boolean hasFree(String node, long need) {
    var devices = shared.get(node);
    if (devices != null) {
      for (var device : devices.values()) {
        if (device.free >= need) {
          return true;
        }
      }
    }
    return false;
  }

  /// So many millionths of any shared device of the node are free at most.
  long mostFree(String node) {
    long most = 0;
    var devices = shared.get(node);
    if (devices != null) {
      for (var device : devices.values()) {
        most = Math.max(most, device.free);
      }
    }
    // Rounded up a little: the product of both may be more than a number holds.
    return most / Math.max(1, capacity(node) / GpuRequest.Portion.WHOLE) + 1;
  }

  private static long free(Map<Integer, Device> devices, int number) {
    var device = devices.get(number);
    return device == null ? 0 : device.free;
  }

  /// The free part of the fullest of these devices: the smaller, the better a fit.
  long free(String node, int number) {
    return free(shared.getOrDefault(node, new TreeMap<>()), number);
  }

  /// Numbers of devices of the node that nobody shares yet.
  List<Integer> fresh(String node, int count) {
    var devices = shared.getOrDefault(node, new TreeMap<>());
    var numbers = new ArrayList<Integer>();
    for (int number = 0; numbers.size() < count; number++) {
      if (!devices.containsKey(number)) {
        numbers.add(number);
      }
    }
    return numbers;
  }

  /// Adds a user to a device. Returns whether it is the first.
  boolean take(String node, int number, long need) {
    var device =
        shared
            .computeIfAbsent(node, _ -> new TreeMap<>())
            .computeIfAbsent(
                number,
                _ -> {
                  var fresh = new Device();
                  fresh.free = capacity(node);
                  return fresh;
                });
    device.free -= need;
    return device.users++ == 0;
  }

  /// Removes a user from a device. Returns whether it was the last.
  boolean release(String node, int number, long need) {
    var devices = shared.get(node);
    var device = devices == null ? null : devices.get(number);
    if (devices == null || device == null) {
      throw new IllegalStateException("nobody shares device %d of %s".formatted(number, node));
    }
    device.free += need;
    if (--device.users > 0) {
      return false;
    }
    devices.remove(number);
    if (devices.isEmpty()) {
      shared.remove(node);
    }
    return true;
  }

  /// The pod that keeps a shared device from being handed out whole.
  static Pod reservation(PodSpec like, String node, int number) {
    return new Pod(
        RESERVATIONS, node + "-gpu-" + number, "", Map.of(), null, false, "", like, PodStatus.NONE);
  }
}
