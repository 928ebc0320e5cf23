package io.berth.kinds;

import io.berth.api.ApiException;
import io.berth.api.FieldErrors;
import io.berth.api.Resource;
import io.berth.api.Tree;

/// A kind whose objects would have no effect here: it can be listed, and creating one is refused,
/// so that nobody relies on a rule that is not kept.
final class NotServedStrategy extends PlainStrategy {

  private final Resource resource;
  private final String why;

  NotServedStrategy(Resource resource, String why) {
    super(resource);
    this.resource = resource;
    this.why = why;
  }

  @Override
  public void validateCreate(Tree object, FieldErrors errors) {
    throw ApiException.forbidden(resource, object.textOrEmpty("metadata", "name"), why);
  }
}
