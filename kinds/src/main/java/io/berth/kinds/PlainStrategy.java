package io.berth.kinds;

import io.berth.api.FieldErrors;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.meta.NameRule;
import io.berth.kinds.meta.Names;
import io.berth.kinds.meta.ObjectMeta;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A kind whose metadata alone is checked; what the kinds with rules of their own start from.
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
  public void validateCreate(Tree object, FieldErrors errors) {
    ObjectMeta.validate(object, resource.namespaced(), nameRule, errors);
  }

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
  public void validateUpdate(Tree object, Tree old, FieldErrors errors) {
    ObjectMeta.validateUpdate(object, old, errors);
  }
}
