package io.berth.engine.rule;

import io.berth.engine.model.ClusterModel;
import io.berth.engine.model.Shape;

/// To be written.
public final class VolumeZone implements FilterRule {

  @Override
  public String name() {
    return "VolumeZone";
  }

  @Override
  public NodeTest testFor(Shape shape, ClusterModel cluster) {
    return NodeTest.ALL;
  }
}
