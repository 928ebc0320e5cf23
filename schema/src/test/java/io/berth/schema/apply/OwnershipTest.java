package io.berth.schema.apply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.api.Tree;
import io.berth.schema.Canonical;
import io.berth.schema.Types;
import io.berth.schema.Vectors;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Random applies and updates, with the owners and objects Kubernetes' own code came to.
class OwnershipTest {

  private static final Types TYPES = Types.kubernetes();
  private static final InstantSource CLOCK =
      InstantSource.fixed(Instant.parse("2026-11-15T12:00:00Z"));

  @Test
  void ownersAreThoseKubernetesWouldName() {
    for (var vector : Vectors.read("ownership.jsonl.gz")) {
      var error = vector.text("error");
      if (error == null) {
        check(vector);
      } else {
        assertThatThrownBy(() -> run(vector))
            .as(vector.toString())
            .satisfies(thrown ->
                assertThat(sortedLines(String.valueOf(thrown.getMessage())))
                    .isEqualTo(sortedLines(error)));
      }
    }
  }

  private static void check(Tree vector) {
    var result = run(vector);
    assertThat(owners(result.trees("metadata", "managedFields")))
        .as(vector.toString())
        .containsExactlyInAnyOrderElementsOf(owners(vector.trees("managedFields")));
    if (vector.has("object")) {
      result.child("metadata").remove("managedFields");
      assertThat(canonical(result)).isEqualTo(canonical(vector.treeOrEmpty("object")));
    }
  }

  private static Tree run(Tree vector) {
    var manager =
        FieldManager.of(
            TYPES,
            vector.textOrEmpty("apiVersion"),
            vector.textOrEmpty("kind"),
            "",
            FieldSet.of("status"),
            CLOCK);
    var live = vector.has("live") ? vector.treeOrEmpty("live") : manager.empty();
    var body = vector.treeOrEmpty("body").copy();
    var name = vector.textOrEmpty("manager");
    if (vector.textOrEmpty("op").equals("apply")) {
      return manager.apply(live, body, name, vector.flag("force"));
    }
    var updated = canonical(body);
    manager.update(live, updated, name);
    return updated;
  }

  private static Tree canonical(Tree object) {
    return Canonical.of(
        TYPES.type(object.textOrEmpty("apiVersion"), object.textOrEmpty("kind")), object);
  }

  private static List<Tree> owners(List<Tree> entries) {
    var owners = new ArrayList<Tree>();
    for (var entry : entries) {
      var copy = entry.copy();
      if (copy.has("time")) {
        copy.put("time", "some time");
      }
      owners.add(copy);
    }
    return owners;
  }

  // The order of fields within one object is Go's order of maps.
  private static List<String> sortedLines(String message) {
    return Arrays.stream(message.split("\n", -1)).sorted().toList();
  }
}
