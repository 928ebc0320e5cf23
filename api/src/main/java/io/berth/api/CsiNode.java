package io.berth.api;

import java.util.Map;
import java.util.Set;

/// The CSI drivers of a node, whose name it has, and how many volumes each can attach; those
/// without a limit have [#UNLIMITED]. `migratedPlugins` are the in-tree plugins whose volumes a
/// driver serves there.
public record CsiNode(String name, Map<String, Integer> limits, Set<String> migratedPlugins)
    implements Surrounding {

  public static final String KIND = "CSINode";

  public static final int UNLIMITED = Integer.MAX_VALUE;

  public CsiNode {
    limits = Map.copyOf(limits);
    migratedPlugins = Set.copyOf(migratedPlugins);
  }

  /// Whether any driver of the node has a limit.
  public boolean isLimited() {
    return limits.values().stream().anyMatch(limit -> limit != UNLIMITED);
  }

  @Override
  public String kind() {
    return KIND;
  }
}
