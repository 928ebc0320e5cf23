package io.berth.placement.run;

import io.berth.answers.source.Manifest;
import io.berth.answers.source.Origin;
import io.berth.api.Tree;
import io.berth.placement.virtual.VirtualCluster;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;

/// Objects of a cluster that was saved, made ready to go on in virtual time.
final class SavedObjects {

  private static final String FAILURE = "berth.io/failure";

  private SavedObjects() {}

  /// Begins no earlier than anything saved: nothing is from the future.
  static VirtualCluster.Options since(VirtualCluster.Options options, List<Tree> objects) {
    var later = options;
    for (var object : objects) {
      later = later.notBefore(time(object.textOrEmpty("metadata", "creationTimestamp")));
      later = later.notBefore(time(object.textOrEmpty("status", "startTime")));
    }
    return later;
  }

  private static Instant time(String text) {
    try {
      return text.isEmpty() ? Instant.EPOCH : Instant.parse(text);
    } catch (DateTimeParseException e) {
      return Instant.EPOCH;
    }
  }

  /// Puts objects that a cluster had where they were, and applies those that people wrote. Nodes
  /// that were not ready stay so: nobody hears of them.
  static void put(List<Tree> objects, VirtualCluster cluster) {
    var restored = new ArrayList<Tree>();
    var written = new ArrayList<Tree>();
    for (var object : objects) {
      var copy = object.copy();
      if (copy.textOrEmpty("kind").equals("Node") && !isReady(copy)) {
        copy.child("metadata").child("annotations").put(FAILURE, "partition");
      }
      (copy.textOrEmpty("metadata", "uid").isEmpty() ? written : restored).add(copy);
    }
    cluster.restore(restored);
    var steps = new StepTaker(cluster);
    for (var object : written) {
      steps.apply(new Manifest(object, new Origin("snapshot", 1)));
    }
    cluster.rest();
  }

  private static boolean isReady(Tree node) {
    return node.trees("status", "conditions").stream()
        .filter(condition -> condition.textOrEmpty("type").equals("Ready"))
        .allMatch(condition -> condition.textOrEmpty("status").equals("True"));
  }
}
