package io.berth.engine;

import org.jspecify.annotations.Nullable;

/// One fact behind a rule's objection: what is demanded, where that is written, and what there is.
///
/// `field` is the path of the demand in the object of its `source`; it is empty where a rule cannot
/// say. `owner` is the pod, `namespace/name`, of a demand that is another pod's, one of them if
/// several demand it. `shortage` has the numbers where something is short that can be counted.
public record Cause(
    String rule,
    String field,
    Source source,
    String owner,
    String wanted,
    String found,
    @Nullable Shortage shortage) {

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

  /// Of `offered` only `free` is left, and `asked` is more; cpu in thousandths.
  public record Shortage(String resource, long asked, long free, long offered) {}

  public Cause(String rule, String field, Source source, String wanted, String found) {
    this(rule, field, source, "", wanted, found, null);
  }

  public static Cause ofPod(String rule, String field, String wanted, String found) {
    return new Cause(rule, field, Source.POD, wanted, found);
  }

  public static Cause ofOther(
      String rule, String field, String owner, String wanted, String found) {
    return new Cause(rule, field, Source.OTHER_POD, owner, wanted, found, null);
  }

  public Cause with(Shortage numbers) {
    return new Cause(rule, field, source, owner, wanted, found, numbers);
  }
}
