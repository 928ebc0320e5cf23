package io.berth.workloads.submit;

import io.berth.api.Tree;
import io.berth.quota.GpuRequest;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;

/// What a pod asks of GPUs: whole devices, or a part of each of some.
///
/// A part is a portion of the device, or an amount of its memory, which is a portion only once the
/// device is known; until then it counts as `portion` zero.
public record Gpus(long devices, boolean shared, double portion, String memory) {

  public static Gpus of(Tree compute) {
    long devices = compute.number(0, "gpuDevicesRequest");
    var memory = compute.textOrEmpty("gpuMemoryRequest");
    if (!memory.isEmpty()) {
      return new Gpus(Math.max(1, devices), true, 0, memory);
    }
    if (compute.get("gpuPortionRequest") instanceof Number portion && !isWhole(portion)) {
      return new Gpus(Math.max(1, devices), true, portion.doubleValue(), "");
    }
    return new Gpus(
        compute.get("gpuPortionRequest") != null ? Math.max(1, devices) : devices, false, 1, "");
  }

  // Parts are counted in millionths.
  private static boolean isWhole(Number portion) {
    return Math.round(portion.doubleValue() * GpuRequest.Portion.WHOLE) >= GpuRequest.Portion.WHOLE;
  }

  /// Devices as a number that may be a fraction.
  public double amount() {
    return shared ? devices * portion : devices;
  }

  /// As schedulers that share GPUs read them.
  Map<String, String> annotations() {
    var annotations = new LinkedHashMap<String, String>();
    if (memory.isEmpty()) {
      annotations.put("gpu-fraction", BigDecimal.valueOf(portion).toPlainString());
    } else {
      annotations.put("gpu-memory", memory);
    }
    annotations.put("gpu-fraction-num-devices", Long.toString(devices));
    annotations.put(
        io.berth.workloads.org.Usage.GPUS_ANNOTATION, BigDecimal.valueOf(amount()).toPlainString());
    return annotations;
  }
}
