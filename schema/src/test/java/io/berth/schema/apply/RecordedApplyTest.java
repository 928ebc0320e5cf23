package io.berth.schema.apply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.berth.api.ApiException;
import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.codec.Yaml;
import io.berth.schema.Canonical;
import io.berth.schema.Types;
import io.berth.schema.Vectors;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Every recorded apply, on the object as the recording shows it before: the same conflicts, the
/// same owners, the same values.
class RecordedApplyTest {

  private static final Types TYPES = Types.kubernetes();
  private static final InstantSource CLOCK =
      InstantSource.fixed(Instant.parse("2026-11-15T12:00:00Z"));
  private static final Pattern MANAGER = Pattern.compile("fieldManager=([^&]*)");

  private int applies;
  private int updates;
  private int refusals;

  @Test
  void answersAsKubernetesDid() {
    for (var scenario : Vectors.read("apply.jsonl.gz")) {
      Map<String, Tree> objects = new HashMap<>();
      for (var step : scenario.trees("steps")) {
        replay(scenario.textOrEmpty("id"), step, objects);
      }
    }
    assertThat(applies).as("applies").isGreaterThanOrEqualTo(65);
    assertThat(updates).as("updates").isGreaterThan(10);
    assertThat(refusals).as("refusals").isGreaterThan(15);
  }

  private void replay(String id, Tree step, Map<String, Tree> objects) {
    var path = step.textOrEmpty("path").replaceAll("\\?.*", "");
    var object = path.replaceAll("/status$", "");
    if (path.endsWith("/scale") || step.textOrEmpty("path").contains("dryRun")) {
      return;
    }
    var expected = step.treeOrEmpty("expect");
    long code = expected.number(0, "code");
    var type = step.textOrEmpty("headers", "Content-Type");
    var live = objects.get(object);
    if (type.startsWith("application/apply-patch+yaml") && !needsServer(expected)) {
      apply(id, step, path, live, expected, code);
    } else if (code < 300 && expected.at("body", "metadata") != null && !path.endsWith("pods")) {
      update(id, step, path, live, expected);
    }
    if (code < 300 && !step.textOrEmpty("method").equals("DELETE")) {
      var body = expected.treeOrEmpty("body");
      var key = step.textOrEmpty("method").equals("POST") ? object + "/" + name(body) : object;
      if (step.flag("managedFields")) {
        objects.put(key, body);
      } else {
        objects.remove(key);
      }
    }
  }

  /// Refusals by validation, preconditions or a missing namespace are not for this module.
  private static boolean needsServer(Tree expected) {
    long code = expected.number(0, "code");
    var reason = expected.textOrEmpty("body", "reason");
    var message = expected.textOrEmpty("body", "message");
    return code == 404
        || code == 415
        || code == 422
        || (reason.equals("Conflict") && !message.startsWith("Apply failed"));
  }

  private void apply(
      String id, Tree step, String path, @Nullable Tree live, Tree expected, long code) {
    var applied = body(step);
    var manager = manager(applied, path);
    if (live == null && code == 409) {
      return;
    }
    var current = live == null ? manager.empty() : live;
    var name = managerName(step);
    boolean force = step.textOrEmpty("path").contains("force=true");
    if (code >= 300) {
      var thrown =
          catchThrowableOfType(
              ApiException.class, () -> manager.apply(current, applied, name, force));
      assertThat(thrown).as(id).isNotNull();
      assertThat(
              matches(String.valueOf(thrown.getMessage()), expected.textOrEmpty("body", "message")))
          .as("%s: %s", id, thrown.getMessage())
          .isTrue();
      assertThat(thrown.code()).as(id).isEqualTo((int) code);
      if (code == 409) {
        assertThat(sortedCauses(thrown.details()))
            .as(id)
            .isEqualTo(sortedCauses(expected.tree("body", "details")));
      }
      refusals++;
      return;
    }
    if (live == null && code == 200) {
      return;
    }
    var merged = manager.apply(current, applied, name, force);
    if (step.flag("managedFields")) {
      assertThat(entries(merged)).as(id).isEqualTo(entries(expected.treeOrEmpty("body")));
    }
    if (applied.textOrEmpty("kind").equals("ConfigMap")) {
      merged.remove("metadata");
      var canonical = Canonical.of(TYPES.type("v1", "ConfigMap"), merged);
      assertThat(canonical.get("data")).as(id).isEqualTo(expected.at("body", "data"));
    }
    applies++;
  }

  private void update(String id, Tree step, String path, @Nullable Tree live, Tree expected) {
    var method = step.textOrEmpty("method");
    if (method.equals("GET") || !step.flag("managedFields")) {
      return;
    }
    var body = expected.treeOrEmpty("body");
    var manager = manager(body, path);
    if (live == null && !method.equals("POST")) {
      return;
    }
    var current = live == null ? manager.empty() : live;
    var updated = body.copy();
    updated.child("metadata").remove("managedFields");
    var requested = given(step);
    if (requested != null) {
      updated.putAt(requested, "metadata", "managedFields");
    }
    manager.update(current, updated, managerName(step));
    assertThat(entries(updated)).as(id + " " + method).isEqualTo(entries(body));
    updates++;
  }

  private static @Nullable Object given(Tree step) {
    return step.get("body") instanceof Tree body
        ? Tree.copyOf(body.at("metadata", "managedFields"))
        : null;
  }

  private static FieldManager manager(Tree object, String path) {
    boolean status = path.endsWith("/status");
    return FieldManager.of(
        TYPES,
        object.textOrEmpty("apiVersion"),
        object.textOrEmpty("kind"),
        status ? "status" : "",
        FieldSet.of(status ? "spec" : "status"),
        CLOCK);
  }

  private static String managerName(Tree step) {
    var matcher = MANAGER.matcher(step.textOrEmpty("path"));
    return matcher.find() ? matcher.group(1) : "berth-vectors";
  }

  private static Tree body(Tree step) {
    return step.get("body") instanceof String text
        ? Yaml.read(text)
        : step.treeOrEmpty("body").copy();
  }

  private static String name(Tree object) {
    return object.textOrEmpty("metadata", "name");
  }

  private static boolean matches(String text, String pattern) {
    var parts = new ArrayList<String>();
    for (var part : pattern.split("<any>", -1)) {
      parts.add(Pattern.quote(part));
    }
    return Pattern.compile(String.join(".*", parts), Pattern.DOTALL).matcher(text).matches();
  }

  private static List<String> sortedCauses(@Nullable Tree details) {
    return details == null
        ? List.of()
        : details.trees("causes").stream().map(cause -> Json.text(order(cause))).sorted().toList();
  }

  private static Tree order(Tree cause) {
    return Tree.of(
        "field",
        cause.get("field"),
        "message",
        cause.get("message"),
        "reason",
        cause.get("reason"));
  }

  /// Entries with a mark instead of their time, as the recording has it.
  private static List<Tree> entries(Tree object) {
    var entries = new ArrayList<Tree>();
    for (var entry : object.trees("metadata", "managedFields")) {
      var copy = entry.copy();
      if (copy.has("time")) {
        copy.put("time", "<time>");
      }
      entries.add(copy);
    }
    entries.sort(Comparator.comparingInt(Tree::hashCode));
    return entries;
  }
}
