package io.berth.server;

import io.berth.api.Tree;
import java.time.Instant;
import java.util.List;

/// Where the output of containers comes from: in a cluster the kubelets, here whoever simulates
/// them.
@FunctionalInterface
public interface ContainerLogs {

  /// Containers that write nothing.
  ContainerLogs SILENT = (pod, container, now) -> List.of();

  /// What a container has written up to `now`, oldest first.
  List<Line> read(Tree pod, String container, Instant now);

  /// One line of output, without its end.
  record Line(Instant time, String text) {}
}
