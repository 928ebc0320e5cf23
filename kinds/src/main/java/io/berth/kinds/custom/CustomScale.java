package io.berth.kinds.custom;

import io.berth.api.Tree;
import io.berth.kinds.ScaleRules;
import java.util.Objects;

/// Where a definition says that its objects keep their replica counts.
record CustomScale(Tree scale) implements ScaleRules {

  @Override
  public long specReplicas(Tree object) {
    return object.number(0, path("specReplicasPath"));
  }

  @Override
  public boolean hasSpecReplicas(Tree object) {
    return object.at(path("specReplicasPath")) instanceof Long;
  }

  @Override
  public String specReplicasPath() {
    return scale.textOrEmpty("specReplicasPath");
  }

  @Override
  public void setSpecReplicas(Tree object, long replicas) {
    object.putAt(replicas, path("specReplicasPath"));
  }

  @Override
  public long statusReplicas(Tree object) {
    return object.number(0, path("statusReplicasPath"));
  }

  @Override
  public String selector(Tree object) {
    return scale.textOrEmpty("labelSelectorPath").isEmpty()
        ? ""
        : object.textOrEmpty(path("labelSelectorPath"));
  }

  private String[] path(String field) {
    var text = Objects.requireNonNull(scale.text(field));
    return (text.startsWith(".") ? text.substring(1) : text).split("\\.", -1);
  }
}
