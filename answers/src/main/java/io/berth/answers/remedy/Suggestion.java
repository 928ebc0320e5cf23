package io.berth.answers.remedy;

import io.berth.api.ObjectReference;
import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A change that by itself gets the pod placed. It was tried.
///
/// @param what in a few words, for people
/// @param size how many single steps it takes, and how many pods it costs
/// @param object what is patched: the pod, the owner whose template it is made of, or a node
/// @param patch what is changed of it: a JSON Patch; empty where nothing is patched
/// @param command one line for a POSIX shell with kubectl alone; `null` where none exists
/// @param lands the node that takes the pod then
/// @param evicts pods that go, by the change itself or by preemption after it
public record Suggestion(
    Target target,
    String what,
    int size,
    @Nullable ObjectReference object,
    List<Tree> patch,
    @Nullable String command,
    String lands,
    List<String> evicts) {

  public Suggestion {
    patch = List.copyOf(patch);
    evicts = List.copyOf(evicts);
  }

  /// What is changed.
  public enum Target {
    /// The pod that is to be placed, or its owner's template.
    POD("pod"),
    /// Pods that are there.
    PODS("pods"),
    NODE("node");

    private final String text;

    Target(String text) {
      this.text = text;
    }

    @Override
    public String toString() {
      return text;
    }
  }

  public Tree toTree() {
    var tree = Tree.of("target", target.toString(), "what", what, "size", size);
    if (object != null && !patch.isEmpty()) {
      tree.put("object", object.kind() + " " + object.key());
      tree.put("patch", new ArrayList<>(patch));
    }
    if (command != null) {
      tree.put("command", command);
    }
    return tree.put("lands", lands).put("evicts", evicts);
  }
}
