package io.berth.conformance.kai;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// The arbiter shares as KAI was recorded to share: the same pods run, the same jobs had to leave
/// their places, and what is pinned to a node is there.
class RecordedSharingTest {

  /// Where Berth is different on purpose.
  private static final Map<String, String> EXCEPTIONS =
      Map.of(
          "allocate/allocateGang_test.go TestHandleGangAllocation 5",
          "room that was made for a gang is kept for it; KAI's rounds forget the promise",
          "integration_tests/reclaim/reclaim_test.go TestReclaimIntegrationTest 7",
          "KAI calls its own answer a bug",
          "allocate/interpod_affinity_test.go TestInterpodAffinityPredicate 1",
          "Berth finds room that KAI misses");

  private final Map<String, String> differing = new TreeMap<>();
  private final Map<Lack, Integer> leftOut = new TreeMap<>();

  @Test
  void agrees() throws Exception {
    for (var recording : Recording.situations()) {
      var lack = Lack.of(recording);
      if (lack != null) {
        leftOut.merge(lack, 1, Integer::sum);
      } else {
        compare(recording);
      }
    }
    var expected = new TreeSet<>(EXCEPTIONS.keySet());
    expected.addAll(Recording.names("differing.txt"));
    assertThat(differing.keySet()).as("%s", differing).isEqualTo(expected);
    assertThat(leftOut).isEqualTo(Lack.KNOWN);
  }

  private void compare(Recording recording) {
    var scene = new Scene(recording);
    var differences = new ArrayList<String>();
    if (!scene.run()) {
      differences.add("does not come to rest");
    }
    differences.addAll(new Comparison(recording, scene).differences());
    if (!differences.isEmpty()) {
      differing.put(recording.name(), String.join("; ", differences));
    }
  }
}
