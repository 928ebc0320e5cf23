package io.berth.server.access;

import io.berth.api.Resource;
import io.berth.api.Tree;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Stored objects as other parts of the server look them up; the trees are frozen.
public interface Objects {

  @Nullable Tree find(Resource resource, String namespace, String name);

  /// The objects of a namespace, or of all when it is empty.
  List<Tree> list(Resource resource, String namespace);

  /// The pods that are bound to a node, by index.
  List<Tree> podsOn(String node);
}
