package io.berth.quota.decide;

import io.berth.api.Quantity;
import java.util.Map;
import java.util.regex.Pattern;

/// Slices of devices (MIG): extended resources such as `nvidia.com/mig-2g.10gb`.
///
/// Nodes offer them and the engine counts them by name, like any other resource; quotas count as
/// many GPUs for a slice as its profile has compute slices: 2 for `2g`.
final class Slices {

  private static final String PREFIX = "nvidia.com/mig-";
  private static final Pattern PROFILE = Pattern.compile("([1-9])g\\..*");

  /// So many of one kind are counted at most; whoever writes a status may write any number.
  private static final long MOST = 1 << 16;

  private Slices() {}

  /// What quotas count for the slices among these resources.
  static long gpuMillis(Map<String, Quantity> resources) {
    long sum = 0;
    for (var entry : resources.entrySet()) {
      if (entry.getKey().startsWith(PREFIX)) {
        var profile = PROFILE.matcher(entry.getKey().substring(PREFIX.length()));
        if (profile.matches()) {
          long count = Math.clamp(entry.getValue().value(), 0, MOST);
          sum += Integer.parseInt(profile.group(1)) * count * 1000L;
        }
      }
    }
    return sum;
  }
}
