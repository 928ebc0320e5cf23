package io.berth.engine.rule;

import io.berth.engine.model.ClusterModel;
import io.berth.engine.model.Shape;

/// To be written.
public final class VolumeBinding implements FilterRule {

  @Override
  public String name() {
    return "VolumeBinding";
  }

  @Override
  public NodeTest testFor(Shape shape, ClusterModel cluster) {
    return NodeTest.ALL;
  }
}
