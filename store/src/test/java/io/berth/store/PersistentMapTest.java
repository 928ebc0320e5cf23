package io.berth.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// Compares with a `TreeMap` on random changes, and looks at old versions again afterwards.
class PersistentMapTest {

  private static final long SEED = Long.getLong("map.seed", 3);

  private record Version(
      PersistentMap<Integer, String> map, NavigableMap<Integer, String> expected) {}

  @Test
  void behavesLikeASortedMapInEveryVersion() {
    var random = new Random(SEED);
    var map = PersistentMap.<Integer, String>empty();
    var expected = new TreeMap<Integer, String>();
    var versions = new ArrayList<Version>();
    for (int i = 0; i < 20_000; i++) {
      // Phases of growing and shrinking, and runs of neighbouring keys, strain the balance.
      int key = random.nextInt(3) == 0 ? i % 2_000 : random.nextInt(2_000);
      if (random.nextInt(10) < (i / 4_000 % 2 == 0 ? 7 : 3)) {
        map = map.with(key, "v" + i);
        expected.put(key, "v" + i);
      } else {
        map = map.without(key);
        expected.remove(key);
      }
      if (i % 500 == 0) {
        versions.add(new Version(map, new TreeMap<>(expected)));
      }
    }
    for (var version : versions) {
      check(version.map, version.expected, random);
    }
  }

  private static void check(
      PersistentMap<Integer, String> map, NavigableMap<Integer, String> expected, Random random) {
    assertThat(map.size()).as("seed %d", SEED).isEqualTo(expected.size());
    assertThat(contents(map)).isEqualTo(List.copyOf(expected.entrySet()));
    for (int i = 0; i < 50; i++) {
      int key = random.nextInt(2_000);
      assertThat(map.find(key)).isEqualTo(expected.get(key));
      assertThat(map.rank(key)).isEqualTo(expected.headMap(key).size());
      var rest = new ArrayList<String>();
      map.from(key).forEachRemaining(node -> rest.add(node.value()));
      assertThat(rest).isEqualTo(List.copyOf(expected.tailMap(key).values()));
    }
    // 2.41 times the binary logarithm bounds the depth of a tree of this balance.
    double bound = 2.41 * Math.log(map.size() + 1) / Math.log(2);
    assertThat((double) map.depth()).isLessThanOrEqualTo(Math.max(1, bound));
  }

  @Test
  void isBuiltFromSortedValues() {
    for (int size = 0; size < 100; size++) {
      var values = new ArrayList<Integer>();
      for (int i = 0; i < size; i++) {
        values.add(2 * i);
      }
      var map = PersistentMap.ofSorted(values, value -> value);
      for (int i = 0; i < 2 * size; i++) {
        assertThat(map.find(i) != null).isEqualTo(i % 2 == 0);
      }
      assertThat(map.depth()).isEqualTo(Integer.SIZE - Integer.numberOfLeadingZeros(size));
    }
  }

  private static List<Map.Entry<Integer, String>> contents(PersistentMap<Integer, String> map) {
    var contents = new ArrayList<Map.Entry<Integer, String>>();
    map.forEach(node -> contents.add(Map.entry(node.key(), node.value())));
    return contents;
  }
}
