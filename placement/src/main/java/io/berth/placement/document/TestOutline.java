package io.berth.placement.document;

import static io.berth.answers.outline.Field.optional;
import static io.berth.answers.outline.Field.required;

import io.berth.answers.outline.Field;
import io.berth.answers.outline.Outline.Choice;
import io.berth.answers.outline.Outline.Fields;
import io.berth.answers.outline.Outline.ListOf;
import io.berth.answers.outline.Outline.Named;
import io.berth.answers.outline.Outline.Text;
import io.berth.answers.plan.StepOutlines;
import io.berth.api.Tree;
import io.berth.placement.check.CheckOutlines;
import java.util.ArrayList;
import java.util.List;

/// What a placement test looks like.
public final class TestOutline {

  public static final String API_VERSION = "berth.io/v1alpha1";
  public static final String KIND = "PlacementTest";

  private static final Text ANY = Text.of("[\\s\\S]*", "text");

  private static final Fields METADATA =
      Fields.of(
          "metadata",
          required("name", StepOutlines.NAME, "the name of the test"),
          optional("labels", new Named(ANY, "labels", 0), "Labels, for you."),
          optional("annotations", new Named(ANY, "annotations", 0), "Annotations, for you."));

  static final Fields TEST =
      Fields.of(
          "a placement test",
          required("apiVersion", Choice.of(API_VERSION), API_VERSION),
          required("kind", Choice.of(KIND), KIND),
          required("metadata", METADATA, "its name"),
          optional("given", new ListOf(given(), 0), "The cluster before anything happens."),
          optional("when", new ListOf(when(), 0), "What happens, step by step."),
          required("then", CheckOutlines.CHECKS, "what shall hold in the end"));

  private TestOutline() {}

  private static Fields given() {
    var words = new ArrayList<Field>();
    words.add(optional("snapshot", Text.ANY, "A cluster as 'berth snapshot' saved it."));
    words.add(optional("schedulerConfig", Text.ANY, "A KubeSchedulerConfiguration."));
    words.addAll(StepOutlines.ALL);
    return Fields.oneOf("beginning", List.copyOf(words));
  }

  private static Fields when() {
    var words = new ArrayList<>(StepOutlines.ALL);
    words.add(optional("then", CheckOutlines.CHECKS, "What shall hold at this point."));
    return Fields.oneOf("step", List.copyOf(words));
  }

  /// For editors: JSON schema, draft 2020-12.
  public static Tree schema() {
    var schema =
        Tree.of(
            "$schema",
            "https://json-schema.org/draft/2020-12/schema",
            "$id",
            "https://berth.io/schemas/placementtest.json",
            "title",
            KIND);
    TEST.schema().fields().forEach(schema::put);
    return schema;
  }
}
