package io.berth.answers.remedy;

import io.berth.api.Tree;
import java.util.List;

/// A change that might get a pod placed.
///
/// Not all are equally welcome: of those of one size, less loss comes first ([#loss]).
sealed interface Remedy {

  /// In a few words, for people: `cpu 1500m`, `tolerate gpu=true:NoSchedule`.
  String what();

  /// How many single steps it takes.
  default int size() {
    return 1;
  }

  /// 0: a number or a preference changes; 1: something demanded is given up; 2: something that is
  /// there for a reason is overruled.
  default int loss() {
    return 0;
  }

  Suggestion.Target target();

  /// A change of the pod's spec, or of the template it is made of.
  non-sealed interface OfPod extends Remedy {

    /// Changes the spec; `false` if it holds nothing to change.
    boolean edit(Tree spec);

    /// The same in a template, where it may have to be written in other words.
    default boolean editTemplate(Tree spec) {
      return edit(spec);
    }

    @Override
    default Suggestion.Target target() {
      return Suggestion.Target.POD;
    }
  }

  /// A change of a node.
  non-sealed interface OfNode extends Remedy {

    String node();

    /// Changes the node object.
    void edit(Tree node);

    /// The kubectl line that does it.
    String command();

    @Override
    default Suggestion.Target target() {
      return Suggestion.Target.NODE;
    }
  }

  /// One more node like one that is there.
  record AddNode(String like) implements Remedy {

    @Override
    public String what() {
      return "one more node like " + like;
    }

    @Override
    public Suggestion.Target target() {
      return Suggestion.Target.NODE;
    }
  }

  /// Pods go, and their owners make them anew before the pod is placed; `forGood` if some have
  /// none.
  record Evict(List<String> pods, boolean forGood) implements Remedy {

    public Evict {
      pods = List.copyOf(pods);
    }

    @Override
    public String what() {
      return "evict " + String.join(", ", pods) + (forGood ? " for good" : "");
    }

    @Override
    public int loss() {
      return forGood ? 1 : 0;
    }

    @Override
    public int size() {
      return pods.size();
    }

    @Override
    public Suggestion.Target target() {
      return Suggestion.Target.PODS;
    }
  }

  /// Two steps of one target, where one is not enough.
  record Both(Remedy first, Remedy second) implements Remedy {

    @Override
    public String what() {
      return first.what() + " and " + second.what();
    }

    @Override
    public int size() {
      return first.size() + second.size();
    }

    @Override
    public int loss() {
      return first.loss() + second.loss();
    }

    @Override
    public Suggestion.Target target() {
      return first.target();
    }
  }
}
