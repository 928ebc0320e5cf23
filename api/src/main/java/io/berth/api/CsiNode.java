package io.berth.api;

import java.util.Map;

/// How many volumes of each CSI driver a node can attach; drivers without a limit have
/// [#UNLIMITED]. The name is the node's.
public record CsiNode(String name, Map<String, Integer> limits) {

  public static final int UNLIMITED = Integer.MAX_VALUE;

  public CsiNode {
    limits = Map.copyOf(limits);
  }
}
