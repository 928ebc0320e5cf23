package io.berth.kinds.core;

import io.berth.api.FieldPath;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.Fields;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.Write;
import io.berth.kinds.meta.Cursor;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Pod templates as objects of their own.
///
/// Mirrors: registry/core/podtemplate.podTemplateStrategy, core/validation.ValidatePodTemplate
public final class PodTemplateStrategy extends PlainStrategy {

  public static final Resource RESOURCE =
      new Resource("", "v1", "podtemplates", "PodTemplate", true);

  private static final FieldPath TEMPLATE = FieldPath.of("template");

  public PodTemplateStrategy() {
    super(RESOURCE);
  }

  @Override
  public void setDefaults(Tree object) {
    PodSpecDefaults.applyToTemplate(object.child("template"));
  }

  @Override
  public void prepareForCreate(Tree object, Write write) {
    Fields.firstGeneration(object);
  }

  @Override
  protected void validate(Cursor object, @Nullable Tree old) {
    PodSpecValidation.validateTemplate(
        object.at("template"), PodOptions.forTemplate(old == null ? null : old.tree("template")));
  }

  @Override
  public List<String> warningsOnCreate(Tree object) {
    return PodWarnings.of(object.treeOrEmpty("template"), TEMPLATE, true);
  }

  @Override
  public void prepareForUpdate(Tree object, Tree old, Write write) {
    Fields.countGeneration(object, old, "template");
  }

  @Override
  public List<String> warningsOnUpdate(Tree object, Tree old) {
    return warningsOnCreate(object);
  }

  @Override
  public List<@Nullable Object> cells(Tree object, Instant now) {
    var containers = object.trees("template", "spec", "containers");
    var labels = new ArrayList<String>();
    new TreeMap<>(object.texts("template", "metadata", "labels"))
        .forEach((key, value) -> labels.add(key + "=" + value));
    return Cells.row(
        Cells.name(object),
        Cells.joined(containers, "name"),
        Cells.joined(containers, "image"),
        Cells.orNone(String.join(",", labels)));
  }
}
