package io.berth.quota;

/// What each pod of a set asks of GPU devices.
///
/// Whole devices are also in the pod's own requests (`nvidia.com/gpu`); parts of devices are not:
/// the pod shares its devices with others, and the arbiter says which.
public sealed interface GpuRequest {

  GpuRequest NONE = new Devices(0);

  /// How many devices the pod sees.
  int devices();

  /// Whole devices for the pod alone.
  record Devices(int devices) implements GpuRequest {}

  /// A part of each of `devices` devices, in millionths.
  record Portion(int devices, long micros) implements GpuRequest {

    public static final long WHOLE = 1_000_000;

    public Portion {
      if (devices < 1 || micros < 1 || micros >= WHOLE) {
        throw new IllegalArgumentException(
            "%d devices with %d millionths each: ask for at least one device, and for whole ones by [Devices]"
                .formatted(devices, micros));
      }
    }
  }

  /// So much memory of each of `devices` devices.
  record Memory(int devices, long bytes) implements GpuRequest {

    public Memory {
      if (devices < 1 || bytes < 1) {
        throw new IllegalArgumentException(
            "%d devices with %d bytes each: both must be at least 1".formatted(devices, bytes));
      }
    }
  }
}
