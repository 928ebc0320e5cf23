package io.berth.api;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedCollection;
import org.jspecify.annotations.Nullable;

/// The objections to one object, in the order in which Kubernetes finds them.
public final class FieldErrors {

  private final List<FieldError> errors = new ArrayList<>();
  private @Nullable FieldErrors declared;

  /// For what Kubernetes checks by rules declared at the fields: it comes behind everything else.
  public FieldErrors declared() {
    if (declared == null) {
      declared = new FieldErrors();
    }
    return declared;
  }

  public void add(FieldError error) {
    errors.add(error);
  }

  public void addAll(FieldErrors others) {
    errors.addAll(others.errors);
    if (others.declared != null) {
      declared().addAll(others.declared);
    }
  }

  public void required(FieldPath path) {
    add(FieldError.required(path, ""));
  }

  public void required(FieldPath path, String detail) {
    add(FieldError.required(path, detail));
  }

  public void invalid(FieldPath path, @Nullable Object value, String detail) {
    add(FieldError.invalid(path, value, detail));
  }

  public void duplicate(FieldPath path, @Nullable Object value) {
    add(FieldError.duplicate(path, value));
  }

  public void forbidden(FieldPath path, String detail) {
    add(FieldError.forbidden(path, detail));
  }

  public void notSupported(
      FieldPath path, @Nullable Object value, SequencedCollection<String> supported) {
    add(FieldError.notSupported(path, value, supported));
  }

  public void notFound(FieldPath path, @Nullable Object value) {
    add(FieldError.notFound(path, value));
  }

  public void tooLong(FieldPath path, int maxBytes) {
    add(FieldError.tooLong(path, maxBytes));
  }

  public void tooMany(FieldPath path, int actual, int max) {
    add(FieldError.tooMany(path, actual, max));
  }

  public boolean isEmpty() {
    return errors.isEmpty() && (declared == null || declared.isEmpty());
  }

  public int size() {
    return list().size();
  }

  public List<FieldError> list() {
    var all = new ArrayList<>(errors);
    if (declared != null) {
      all.addAll(declared.list());
    }
    return all;
  }

  /// The errors as one text: a single one as it is, several in brackets, none twice.
  public String message() {
    var lines = new LinkedHashSet<String>();
    list().forEach(error -> lines.add(error.toString()));
    return lines.size() == 1 ? lines.getFirst() : "[" + String.join(", ", lines) + "]";
  }

  /// Refuses the object with 422 when there is any error.
  public void throwIfAny(Resource resource, String name) {
    if (!isEmpty()) {
      throw toException(resource, name);
    }
  }

  /// The 422 answer about an object of this kind.
  public ApiException toException(Resource resource, String name) {
    return toException(resource.group(), resource.kind(), name);
  }

  /// The 422 answer: `Deployment.apps "web" is invalid: …`, every error a cause, none twice.
  public ApiException toException(String group, String kind, String name) {
    var causes = new ArrayList<Tree>();
    for (var error : new LinkedHashSet<>(list())) {
      causes.add(
          Tree.of(
              "reason", error.type().reason(), "message", error.text(), "field", error.field()));
    }
    var details = new Tree();
    if (!name.isEmpty()) {
      details.put("name", name);
    }
    if (!group.isEmpty()) {
      details.put("group", group);
    }
    details.put("kind", kind);
    if (!causes.isEmpty()) {
      ApiException.withCauses(details, causes);
    }
    var qualified = group.isEmpty() ? kind : kind + "." + group;
    var message = "%s %s is invalid: %s".formatted(qualified, FieldError.quoted(name), message());
    return new ApiException(422, "Invalid", message, details);
  }
}
