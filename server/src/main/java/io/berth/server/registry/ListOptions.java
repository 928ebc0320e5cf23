package io.berth.server.registry;

import io.berth.server.request.FieldSelector;
import io.berth.server.request.LabelSelector;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/// Which objects of a resource, how many at a time, and as of when.
public record ListOptions(
    LabelSelector labels,
    FieldSelector fields,
    long limit,
    @Nullable String continueToken,
    String resourceVersion,
    Match match) {

  public static final ListOptions ALL =
      new ListOptions(LabelSelector.ALL, FieldSelector.ALL, 0, null, "", Match.UNSET);

  public static ListOptions of(String labelSelector, String fieldSelector) {
    return new ListOptions(
        LabelSelector.parse(labelSelector),
        FieldSelector.parse(fieldSelector),
        0,
        null,
        "",
        Match.UNSET);
  }

  /// The same, of the object with this name only.
  public ListOptions withName(String name) {
    var terms = new ArrayList<>(fields.terms());
    terms.add(new FieldSelector.Term("metadata.name", true, name));
    return new ListOptions(
        labels, new FieldSelector(terms), limit, continueToken, resourceVersion, match);
  }

  /// The same, all at once.
  ListOptions unlimited() {
    return new ListOptions(labels, fields, 0, continueToken, resourceVersion, match);
  }

  /// What `resourceVersion` means.
  public enum Match {
    UNSET,
    NOT_OLDER_THAN,
    EXACT
  }

  public boolean selectsAll() {
    return labels.isAll() && fields.isAll();
  }
}
