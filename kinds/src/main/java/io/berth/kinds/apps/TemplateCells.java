package io.berth.kinds.apps;

import io.berth.api.Tree;
import java.util.List;
import java.util.stream.Collectors;

/// Cells about the containers of a template.
public final class TemplateCells {

  private TemplateCells() {}

  public static String names(List<Tree> containers) {
    return joined(containers, "name");
  }

  public static String images(List<Tree> containers) {
    return joined(containers, "image");
  }

  private static String joined(List<Tree> containers, String field) {
    return containers.stream()
        .map(container -> container.textOrEmpty(field))
        .collect(Collectors.joining(","));
  }
}
