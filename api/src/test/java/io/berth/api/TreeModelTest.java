package io.berth.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.ConcurrentModificationException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A tree does what a `LinkedHashMap` would, however many fields it has.
class TreeModelTest {

  @ParameterizedTest
  @ValueSource(ints = {3, 9, 12, 40, 96, 97, 300})
  void behavesLikeAMapInOrderOfInsertion(int names) {
    var random = new Random(names);
    var tree = new Tree();
    var map = new LinkedHashMap<String, @Nullable Object>();
    for (int i = 0; i < 20 * names; i++) {
      // A new instance each time: names are found by value.
      var name = new String("name-" + random.nextInt(names));
      if (random.nextInt(3) == 0) {
        assertThat(tree.remove(name)).isEqualTo(map.remove(name));
      } else {
        var value = random.nextInt(5) == 0 ? null : Long.valueOf(i);
        tree.put(name, value);
        map.put(name, value);
      }
      assertThat(tree.get(name)).isEqualTo(map.get(name));
      assertThat(tree.has(name)).isEqualTo(map.containsKey(name));
      assertSame(tree, map);
      if (random.nextInt(50) == 0) {
        tree = tree.freeze().copy();
      }
    }
    assertSame(tree.freeze(), map);
    assertSame(tree.copy(), map);
  }

  private static void assertSame(Tree tree, Map<String, @Nullable Object> map) {
    assertThat(new ArrayList<>(tree.fields().entrySet()))
        .isEqualTo(new ArrayList<>(map.entrySet()));
    assertThat(tree.size()).isEqualTo(map.size());
  }

  @Test
  void equalTreesNeedNotHaveTheSameOrder() {
    var one = Tree.of("a", 1, "b", Tree.of("c", null), "d", List.of("e"));
    var other = Tree.of("d", List.of("e"), "b", Tree.of("c", null), "a", 1);

    assertThat(one).isEqualTo(other).hasSameHashCodeAs(other);
    assertThat(one.copy().freeze()).isEqualTo(other).hasSameHashCodeAs(other);
    assertThat(one.copy().put("a", 2)).isNotEqualTo(other);
    assertThat(one.copy().freeze().toString()).isEqualTo("{a=1, b={c=null}, d=[e]}");
  }

  @Test
  void saysWhenFieldsGoUnderAnIteration() {
    var tree = Tree.of("a", 1, "b", 2, "c", 3);

    assertThatThrownBy(
            () -> {
              for (var name : tree.names()) {
                tree.remove(name);
              }
            })
        .isInstanceOf(ConcurrentModificationException.class);
  }

  @Test
  void cannotBeWrittenThroughItsView() {
    var tree = Tree.of("a", 1);

    assertThatThrownBy(() -> tree.fields().put("b", 2L))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> tree.names().clear())
        .isInstanceOf(UnsupportedOperationException.class);
  }
}
