package io.berth.api;

import org.jspecify.annotations.Nullable;

/// A volume attached to a node, whether or not a pod there uses it.
public record VolumeAttachment(
    String name, String attacher, String nodeName, @Nullable String volumeName)
    implements Surrounding {

  public static final String KIND = "VolumeAttachment";

  @Override
  public String kind() {
    return KIND;
  }
}
