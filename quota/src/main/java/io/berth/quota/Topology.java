package io.berth.quota;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// How close together the pods of a gang are to be.
///
/// `levels` are node labels, the farthest first: zone, block, rack. Nodes that agree in a level and
/// all before it are one *domain*; nodes without these labels are in none. All pods of the gang are
/// in one domain of level `required`, and, if there is room, in one of level `preferred` or as near
/// below `required` as possible.
public record Topology(List<String> levels, @Nullable String required, @Nullable String preferred) {

  public Topology {
    levels = List.copyOf(levels);
    for (var level : new String[] {required, preferred}) {
      if (level != null && !levels.contains(level)) {
        throw new IllegalArgumentException(
            "%s is no level of the topology; its levels are %s".formatted(level, levels));
      }
    }
  }

  /// The depth of a level, or -1 for none.
  public int depthOf(@Nullable String level) {
    return level == null ? -1 : levels.indexOf(level);
  }
}
