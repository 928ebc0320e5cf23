package io.berth.cli;

import io.berth.answers.source.Manifest;
import io.berth.api.SchedulerConfiguration;
import io.berth.api.Tree;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What commands that answer questions read, beside files: clusters, and what is left of them.
///
/// A source that cannot be read at all is a [UserError]; a part of it that cannot is named.
public interface Surveys {

  /// The object with what an API server fills in.
  Tree withDefaults(Tree object);

  /// A running cluster, by get and list only. `kubeconfig` as kubectl takes it.
  Found ofCluster(Path kubeconfig, String context);

  /// The cluster of a folder that nothing runs in.
  Found ofStopped(Path folder);

  /// A file that `berth snapshot save` wrote.
  Found ofSnapshot(Path file);

  /// The nodes of a NodeFleet; what it cannot mean is a [UserError].
  List<Tree> nodesOf(Tree fleet);

  /// The nodes that `berth up --fleet` would make of a file.
  Found ofFleet(Path file);

  /// What was found: objects, what could not be read, as of when, and how pods are scheduled there
  /// if the source knows.
  record Found(
      List<Manifest> manifests,
      List<String> unread,
      String revision,
      @Nullable SchedulerConfiguration configuration,
      long seed) {

    public static final Found NOTHING = new Found(List.of(), List.of(), "", null, 1);

    public Found {
      manifests = List.copyOf(manifests);
      unread = List.copyOf(unread);
    }
  }
}
