package io.berth.schema.apply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.schema.Types;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

/// The steps of the recorded scenarios `replicas-handed-over` and `scale-subresource`.
class ScaleFieldsTest {

  private static final InstantSource CLOCK =
      InstantSource.fixed(Instant.parse("2026-11-15T12:00:00Z"));

  private final ScaleFields fields = new ScaleFields("apps/v1", "spec.replicas");
  private final FieldManager scales =
      FieldManager.of(
          Types.kubernetes(), "autoscaling/v1", "Scale", "scale", FieldSet.of("status"), CLOCK);

  @Test
  void anUpdateOfTheScaleTakesReplicasFromTheApplier() {
    var deployment = deployment();
    var live = scale(deployment, 3);
    var updated = scale(deployment, 5);
    scales.update(live, updated, "hpa");

    var entries = fields.ofObject(deployment, updated.list("metadata", "managedFields"));

    assertThat(Json.text(entries))
        .isEqualTo(
            "[{\"manager\":\"m1\",\"operation\":\"Apply\",\"apiVersion\":\"apps/v1\","
                + "\"time\":\"2026-11-15T10:00:00Z\",\"fieldsType\":\"FieldsV1\","
                + "\"fieldsV1\":{\"f:spec\":{\"f:selector\":{}}}},"
                + "{\"manager\":\"hpa\",\"operation\":\"Update\",\"apiVersion\":\"apps/v1\","
                + "\"fieldsType\":\"FieldsV1\",\"fieldsV1\":{\"f:spec\":{\"f:replicas\":{}}},"
                + "\"subresource\":\"scale\"}]");
  }

  @Test
  void applyingAScaleConflictsWithTheApplierOfTheObject() {
    var live = scale(deployment(), 3);
    var applied =
        Json.read(
            "{\"apiVersion\":\"autoscaling/v1\",\"kind\":\"Scale\",\"metadata\":{\"name\":\"w\"},"
                + "\"spec\":{\"replicas\":4}}");

    assertThatThrownBy(() -> scales.apply(live, applied, "m2", false))
        .hasMessage("Apply failed with 1 conflict: conflict with \"m1\": .spec.replicas");
    var merged = scales.apply(live, applied, "m2", true);
    assertThat(fields.ofObject(deployment(), merged.list("metadata", "managedFields")))
        .extracting(entry -> entry.textOrEmpty("manager"))
        .containsExactly("m2", "m1");
  }

  private Tree scale(Tree deployment, long replicas) {
    var scale =
        Json.read(
            "{\"kind\":\"Scale\",\"apiVersion\":\"autoscaling/v1\","
                + "\"metadata\":{\"name\":\"w\",\"uid\":\"u\"},\"status\":{\"replicas\":0}}");
    scale.putAt(replicas, "spec", "replicas");
    scale.putAt(new ArrayList<>(fields.ofScale(deployment)), "metadata", "managedFields");
    return scale;
  }

  private static Tree deployment() {
    return Json.read(
        "{\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\",\"metadata\":{\"name\":\"w\","
            + "\"managedFields\":[{\"manager\":\"m1\",\"operation\":\"Apply\","
            + "\"apiVersion\":\"apps/v1\",\"time\":\"2026-11-15T10:00:00Z\","
            + "\"fieldsType\":\"FieldsV1\","
            + "\"fieldsV1\":{\"f:spec\":{\"f:replicas\":{},\"f:selector\":{}}}}]}}");
  }
}
