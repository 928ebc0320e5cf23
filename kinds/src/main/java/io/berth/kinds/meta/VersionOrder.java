package io.berth.kinds.meta;

import java.util.Comparator;
import java.util.regex.Pattern;

/// Kubernetes' order of versions: stable before beta before alpha, newer before older.
public final class VersionOrder {

  public static final Comparator<String> NEWEST_FIRST =
      Comparator.comparing(VersionOrder::group)
          .thenComparing(VersionOrder::rank, Comparator.reverseOrder())
          .thenComparing(Comparator.naturalOrder());

  private static final Pattern VERSION =
      Pattern.compile("v([0-9]{1,6})(?:(alpha|beta)([0-9]{1,6}))?");

  private VersionOrder() {}

  private static String group(String groupVersion) {
    return groupVersion.substring(0, Math.max(0, groupVersion.indexOf('/')));
  }

  private static long rank(String groupVersion) {
    var matcher = VERSION.matcher(groupVersion.substring(groupVersion.indexOf('/') + 1));
    if (!matcher.matches()) {
      return 0;
    }
    long stability = matcher.group(2) == null ? 3 : matcher.group(2).equals("beta") ? 2 : 1;
    long minor = matcher.group(3) == null ? 0 : Long.parseLong(matcher.group(3));
    return (stability << 42) + (Long.parseLong(matcher.group(1)) << 21) + minor;
  }
}
