package io.berth.answers.remedy;

import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.List;

/// The pod may do without one of its host ports.
final class HostPortsOfPod {

  private HostPortsOfPod() {}

  static List<Family> find(Question question) {
    var families = new ArrayList<Family>();
    for (var list : List.of("containers", "initContainers")) {
      var containers = question.spec().trees(list);
      for (int i = 0; i < containers.size(); i++) {
        var ports = containers.get(i).trees("ports");
        for (int j = 0; j < ports.size(); j++) {
          long port = ports.get(j).number(0, "hostPort");
          if (port > 0 && !question.spec().flag("hostNetwork")) {
            families.add(Family.of(List.of(new Drop(list, i, j, port))));
          }
        }
      }
    }
    return families;
  }

  /// A container port is no longer one of the host.
  record Drop(String list, int container, int index, long port) implements Remedy.OfPod {

    @Override
    public String what() {
      return "drop host port " + port;
    }

    @Override
    public int loss() {
      return 1;
    }

    @Override
    public boolean edit(Tree spec) {
      var containers = spec.trees(list);
      if (container >= containers.size()) {
        return false;
      }
      var ports = containers.get(container).trees("ports");
      return index < ports.size() && ports.get(index).remove("hostPort") != null;
    }
  }
}
