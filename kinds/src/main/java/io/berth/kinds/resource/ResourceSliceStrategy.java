package io.berth.kinds.resource;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.PlainStrategy;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// `resource.k8s.io/v1 resourceslices`
public final class ResourceSliceStrategy extends PlainStrategy {

  public ResourceSliceStrategy(Resource resource) {
    super(resource);
  }

  @Override
  public Set<String> fieldLabels() {
    return Set.of("spec.nodeName", "spec.driver", "spec.pool.name");
  }

  @Override
  public List<@Nullable Object> cells(Tree object, Instant now) {
    return Cells.row(
        Cells.name(object),
        object.textOrEmpty("spec", "nodeName"),
        object.textOrEmpty("spec", "driver"),
        object.textOrEmpty("spec", "pool", "name"),
        Cells.age(object, now));
  }
}
