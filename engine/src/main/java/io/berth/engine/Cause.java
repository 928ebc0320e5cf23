package io.berth.engine;

/// One fact behind a rule's objection: what is demanded, where that is written, and what there is.
///
/// `field` is the path of the demand in the object of its `source`; it is empty where a rule cannot
/// say.
public record Cause(String rule, String field, Source source, String wanted, String found) {

  /// Whose demand it is.
  public enum Source {
    /// The pod that is to be placed.
    POD,
    /// A pod that runs, or waits for a node.
    OTHER_POD,
    /// The arguments of the profile.
    PROFILE,
    /// What Kubernetes does when nobody says anything.
    DEFAULT
  }

  public static Cause ofPod(String rule, String field, String wanted, String found) {
    return new Cause(rule, field, Source.POD, wanted, found);
  }
}
