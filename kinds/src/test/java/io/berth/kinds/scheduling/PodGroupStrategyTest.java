package io.berth.kinds.scheduling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.berth.api.ApiException;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.kinds.Kind;
import io.berth.kinds.Kinds;
import io.berth.kinds.Lifecycle;
import io.berth.kinds.Write;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// Pod groups and workloads: what is filled in, what is refused, and what may change later.
class PodGroupStrategyTest {

  private static final Kind GROUPS = kind(Resource.POD_GROUPS);
  private static final Kind WORKLOADS = kind(Resource.WORKLOADS);
  private static final Write WRITE = Write.bySystem(Instant.EPOCH);
  private static final String GANG = "'schedulingPolicy': {'gang': {'minCount': 2}}";

  record Refusal(String what, Kind kind, String spec, String message) {

    @Override
    public String toString() {
      return what;
    }
  }

  static final List<Refusal> REFUSALS =
      List.of(
          new Refusal(
              "no policy",
              GROUPS,
              "{}",
              "spec.schedulingPolicy: Invalid value: \"\": must specify one of: `basic`, `gang`"),
          new Refusal(
              "two policies",
              GROUPS,
              "{'schedulingPolicy': {'basic': {}, 'gang': {'minCount': 1}}}",
              "spec.schedulingPolicy: Invalid value: \"{basic, gang}\": must specify exactly one"
                  + " of: `basic`, `gang`"),
          new Refusal(
              "a gang of none",
              GROUPS,
              "{'schedulingPolicy': {'gang': {'minCount': 0}}}",
              "spec.schedulingPolicy.gang.minCount: Required value"),
          new Refusal(
              "a negative gang",
              GROUPS,
              "{'schedulingPolicy': {'gang': {'minCount': -1}}}",
              "spec.schedulingPolicy.gang.minCount: Invalid value: -1: must be greater than or"
                  + " equal to 1"),
          new Refusal(
              "no mode",
              GROUPS,
              "{'schedulingPolicy': {'basic': {}}, 'disruptionMode': {}}",
              "spec.disruptionMode: Invalid value: \"\": must specify one of: `single`, `all`"),
          new Refusal(
              "priority of the system",
              GROUPS,
              "{'schedulingPolicy': {'basic': {}}, 'priority': 1000000001}",
              "spec.priority: Invalid value: 1000000001: must be less than or equal to"
                  + " 1000000000"),
          new Refusal(
              "half a reference",
              GROUPS,
              "{'schedulingPolicy': {'basic': {}}, 'workloadRef': {'workloadName': 'w'}}",
              "spec.workloadRef.templateName: Required value"),
          new Refusal(
              "no template",
              WORKLOADS,
              "{'podGroupTemplates': []}",
              "spec: Invalid value: \"\": must specify one of: `podGroupTemplates`,"
                  + " `compositePodGroupTemplates`"),
          new Refusal(
              "one name twice",
              WORKLOADS,
              "{'podGroupTemplates': [{'name': 'a', %s}, {'name': 'a', %s}]}".formatted(GANG, GANG),
              "spec.podGroupTemplates[1]: Duplicate value:"
                  + " {\"name\":\"a\",\"schedulingPolicy\":{\"gang\":{\"minCount\":2}},"
                  + "\"schedulingConstraints\":null}"),
          new Refusal(
              "several priorities",
              WORKLOADS,
              "{'podGroupTemplates': [{'name': 'a', %s}, {'name': 'b', 'priority': 1, %s}]}"
                  .formatted(GANG, GANG),
              "spec: Invalid value: null: detected multiple priority configurations"));

  @ParameterizedTest(name = "{0}")
  @FieldSource("REFUSALS")
  void refuses(Refusal c) {
    var thrown = catchThrowableOfType(ApiException.class, () -> create(c.kind, c.spec));

    assertThat(thrown)
        .hasMessage(
            "%s.scheduling.k8s.io \"g\" is invalid: %s"
                .formatted(c.kind.resource().kind(), c.message));
  }

  @Test
  void disruptsPodsOneByOneUnlessTold() {
    var group = create(GROUPS, "{%s, 'preemptionPolicy': 'Never'}".formatted(GANG));

    assertThat(group.tree("spec", "disruptionMode")).isEqualTo(json("{'single': {}}"));
    assertThat(group.has("status")).isFalse();
    assertThat(group.treeOrEmpty("spec").has("preemptionPolicy")).isFalse();
  }

  @Test
  void aGangMayGrowButStaysAGang() {
    var group = create(GROUPS, "{%s}".formatted(GANG));

    assertThat(update(group, "{'schedulingPolicy': {'gang': {'minCount': 5}}}")).isEmpty();
    assertThat(update(group, "{'schedulingPolicy': {'gang': {'minCount': 0}}}"))
        .isEqualTo("spec.schedulingPolicy.gang.minCount: Required value");
    assertThat(update(group, "{'schedulingPolicy': {'basic': {}}}"))
        .isEqualTo(
            "[spec.schedulingPolicy.basic: Invalid value: null: field is immutable,"
                + " spec.schedulingPolicy.gang: Invalid value: null: field cannot be cleared once"
                + " set]");
    assertThat(update(group, "{%s, 'disruptionMode': {'all': {}}}".formatted(GANG)))
        .isEqualTo("spec.disruptionMode: Invalid value: null: field is immutable");
  }

  @Test
  void statusHoldsCompleteConditions() {
    var group = create(GROUPS, "{%s}".formatted(GANG));
    var changed = group.copy();
    changed.child("metadata").put("resourceVersion", "1");
    changed.put("status", json("{'conditions': [{'type': 'X', 'status': 'Maybe'}]}"));
    var door = Objects.requireNonNull(GROUPS.subresources().get("status"));

    var thrown =
        catchThrowableOfType(
            ApiException.class, () -> Lifecycle.beforeUpdate(GROUPS, door, changed, group, WRITE));

    assertThat(thrown)
        .hasMessageContaining(
            "[status.conditions[0].status: Unsupported value: \"Maybe\": supported values:"
                + " \"False\", \"True\", \"Unknown\", status.conditions[0].lastTransitionTime:"
                + " Required value, status.conditions[0].reason: Required value]");
  }

  private static Tree create(Kind kind, String spec) {
    var object = json("{'metadata': {'name': 'g', 'namespace': 'n', 'uid': 'u'}}");
    object.put("spec", json(spec));
    kind.strategy().setDefaults(object);
    Lifecycle.beforeCreate(kind, object, WRITE);
    return object;
  }

  /// The objections to this spec in place of the group's.
  private static String update(Tree group, String spec) {
    var changed = group.copy();
    changed.child("metadata").put("resourceVersion", "1");
    changed.put("spec", json(spec));
    GROUPS.strategy().setDefaults(changed);
    try {
      Lifecycle.beforeUpdate(GROUPS, GROUPS.strategy(), changed, group, WRITE);
      return "";
    } catch (ApiException e) {
      var message = String.valueOf(e.getMessage());
      return message.substring(message.indexOf("is invalid: ") + 12);
    }
  }

  private static Tree json(String text) {
    return Json.read(text.replace('\'', '"'));
  }

  private static Kind kind(Resource resource) {
    return new Kinds().find(resource.group(), resource.version(), resource.plural()).orElseThrow();
  }
}
