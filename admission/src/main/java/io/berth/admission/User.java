package io.berth.admission;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Who makes a request, after authentication and impersonation.
public record User(String name, String uid, List<String> groups, Map<String, List<String>> extra) {

  private static final String NODE_PREFIX = "system:node:";

  public User {
    groups = List.copyOf(groups);
    extra = Map.copyOf(extra);
  }

  public static User of(String name, String... groups) {
    return new User(name, "", List.of(groups), Map.of());
  }

  public boolean isIn(String group) {
    return groups.contains(group);
  }

  /// Whether this is a kubelet: a `system:node:` name and the group `system:nodes`.
  public boolean isNode() {
    return name.startsWith(NODE_PREFIX) && isIn("system:nodes");
  }

  /// The node this user is the kubelet of, `""` when its name does not say, `null` for others.
  public @Nullable String nodeName() {
    return isNode() ? name.substring(NODE_PREFIX.length()) : null;
  }
}
