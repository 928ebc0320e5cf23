package io.berth.app;

import io.berth.api.Tree;
import io.berth.cluster.GuardedCluster;
import java.io.PrintStream;
import java.util.List;

/// Lets nothing through: prints what would be bound, why pods wait, and who would be evicted.
final class DryRun implements GuardedCluster.Gate {

  private final PrintStream out;

  DryRun(PrintStream out) {
    this.out = out;
  }

  @Override
  public Tree instead(GuardedCluster.Write write) {
    var what = line(write);
    if (!what.isEmpty()) {
      out.println(what);
    }
    return write.body() instanceof Tree body
        ? body
        : Tree.of("kind", "Status", "apiVersion", "v1", "status", "Success");
  }

  private static String line(GuardedCluster.Write write) {
    var pod = write.namespace() + "/" + write.name();
    if (write.subresource().equals("binding") && write.body() instanceof Tree binding) {
      return "pod/%s would go to %s".formatted(pod, binding.textOrEmpty("target", "name"));
    }
    if (write.verb().equals("delete")) {
      return "pod/%s would be evicted".formatted(pod);
    }
    if (write.verb().equals("patch") && write.body() instanceof Tree patch) {
      return pending(pod, patch.trees("status", "conditions"));
    }
    return "";
  }

  private static String pending(String pod, List<Tree> conditions) {
    for (var condition : conditions) {
      if (condition.textOrEmpty("type").equals("PodScheduled")) {
        return "pod/%s stays pending: %s".formatted(pod, condition.textOrEmpty("message"));
      }
    }
    return "";
  }
}
