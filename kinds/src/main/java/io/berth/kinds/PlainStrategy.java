package io.berth.kinds;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.NameRule;
import io.berth.kinds.meta.Names;
import io.berth.kinds.meta.ObjectMeta;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A kind whose metadata alone is checked; what the kinds with rules of their own start from.
///
/// Mirrors: apiserver/pkg/registry/rest.RESTCreateStrategy, RESTUpdateStrategy
public class PlainStrategy implements Strategy {

  private final Resource resource;
  private final NameRule nameRule;

  public PlainStrategy(Resource resource, NameRule nameRule) {
    this.resource = resource;
    this.nameRule = nameRule;
  }

  public PlainStrategy(Resource resource) {
    this(resource, Names.Rule.DNS_SUBDOMAIN);
  }

  @Override
  public void validateCreate(Cursor object) {
    ObjectMeta.validate(object, resource.namespaced(), nameRule);
    validate(object, null);
  }

  /// Objections to new and changed objects alike, behind those to the metadata; `old` is what is
  /// stored, if anything is.
  protected void validate(Cursor object, @Nullable Tree old) {}

  @Override
  public void prepareForUpdate(Tree object, Tree old, Write write) {}

  /// What metadata says; other columns stay empty.
  @Override
  public List<@Nullable Object> cells(Tree object, Instant now) {
    var cells = new ArrayList<@Nullable Object>();
    for (var column : columns(resource)) {
      cells.add(
          switch (column.name()) {
            case "Name" -> Cells.name(object);
            case "Age" -> Cells.age(object, now);
            case "Created At" -> object.text("metadata", "creationTimestamp");
            default -> "";
          });
    }
    return cells;
  }

  @Override
  public void validateUpdate(Cursor object, Tree old) {
    ObjectMeta.validateUpdate(object, old);
    validate(object, old);
  }
}
