package io.berth.kinds.meta;

import io.berth.api.FieldError;
import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Quantity;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.schema.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SequencedCollection;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/// A field under validation: what stands there, where that is, and where objections to it go.
///
/// Rules read as sentences, in the order in which Kubernetes objects:
///
/// ```java
/// container.at("name").required().follows(Names::dnsLabel).unique(names);
/// container.at("imagePullPolicy").oneOf();
/// container.each("ports", Ports::validate);
/// ```
///
/// A check returns the cursor it was asked on, so that the next one follows. [#required],
/// [#ifSet()] and [#ifFilled()] end a sentence instead when there is nothing left to check: they
/// return a cursor that stands nowhere and drops what is said about it. A cursor is a chain to its
/// parent; its path becomes text only when somebody objects.
public final class Cursor extends Place {

  private static final Cursor NOWHERE =
      new Cursor(null, new Root(FieldPath.ROOT, null), "", NO_INDEX, null, null);

  private final @Nullable FieldErrors errors;

  private Cursor(
      @Nullable Place parent,
      @Nullable Root root,
      String name,
      int index,
      @Nullable Object value,
      @Nullable FieldErrors errors) {
    super(parent, root, name, index, value);
    this.errors = errors;
  }

  /// At a whole object of this kind.
  public static Cursor of(Resource kind, Tree object, FieldErrors errors) {
    var type = Types.kubernetes().find(kind.apiVersion(), kind.kind()).orElse(null);
    return new Cursor(null, new Root(FieldPath.ROOT, type), "", NO_INDEX, object, errors);
  }

  /// At a whole object of no particular kind.
  public static Cursor of(Tree object, FieldErrors errors) {
    return of(FieldPath.ROOT, object, errors);
  }

  /// At a value that stands at `path`, or that the rules are to see there.
  public static Cursor of(FieldPath path, @Nullable Object value, FieldErrors errors) {
    return new Cursor(null, new Root(path, null), "", NO_INDEX, value, errors);
  }

  /// At a value that is only read: nobody hears objections to it.
  public static Cursor reading(FieldPath path, @Nullable Object value) {
    return new Cursor(null, new Root(path, null), "", NO_INDEX, value, null);
  }

  /// At a field of this object.
  public Cursor at(String field) {
    return child(field, NO_INDEX, value() instanceof Tree tree ? tree.get(field) : null);
  }

  /// At a field further down.
  public Cursor at(String field, String... more) {
    var cursor = at(field);
    for (var each : more) {
      cursor = cursor.at(each);
    }
    return cursor;
  }

  /// At some fields of this object, one after the other.
  public List<Cursor> fields(String... names) {
    var cursors = new ArrayList<Cursor>(names.length);
    for (var each : names) {
      cursors.add(at(each));
    }
    return cursors;
  }

  /// At each element of the list in a field.
  public List<Cursor> each(String field) {
    // A list that is not there is the most frequent one.
    return value() instanceof Tree tree
            && tree.get(field) instanceof List<?> list
            && !list.isEmpty()
        ? child(field, NO_INDEX, list).each()
        : List.of();
  }

  public void each(String field, Consumer<Cursor> rules) {
    each(field).forEach(rules);
  }

  /// At each element of this list.
  public List<Cursor> each() {
    var list = list();
    if (list.isEmpty()) {
      return List.of();
    }
    var cursors = new ArrayList<Cursor>(list.size());
    for (int i = 0; i < list.size(); i++) {
      cursors.add(child("", i, list.get(i)));
    }
    return cursors;
  }

  /// At one element of this list.
  public Cursor element(int position) {
    var list = list();
    return child("", position, position < list.size() ? list.get(position) : null);
  }

  /// At each entry of this map: `limits[cpu]`.
  public List<Cursor> entries() {
    var cursors = new ArrayList<Cursor>();
    tree().forEach((key, each) -> cursors.add(child(key, KEY, each)));
    return cursors;
  }

  /// At the entry under this key of the map.
  public Cursor key(String key) {
    return child(key, KEY, value() instanceof Tree tree ? tree.get(key) : null);
  }

  /// The same place, where another value is to be judged.
  public Cursor with(@Nullable Object other) {
    return new Cursor(parent(), root(), name(), index(), other, errors);
  }

  /// The same place, where the text counts without the blanks around it.
  public Cursor stripped() {
    return with(text().strip());
  }

  /// The same place for what Kubernetes checks by rules declared at the fields, behind all else.
  public Cursor declared() {
    return new Cursor(parent(), root(), name(), index(), value(), errors().declared());
  }

  private Cursor child(String step, int position, @Nullable Object below) {
    return new Cursor(this, null, step, position, below, errors);
  }

  public FieldErrors errors() {
    return errors == null ? new FieldErrors() : errors;
  }

  /// Goes on if the field is there.
  public Cursor ifSet() {
    return value() == null ? NOWHERE : this;
  }

  public void ifSet(Consumer<Cursor> rules) {
    if (value() != null) {
      rules.accept(this);
    }
  }

  /// Goes on if the field is there and not empty.
  public Cursor ifFilled() {
    return isEmpty() ? NOWHERE : this;
  }

  /// Objects to an absent or empty field; goes on if there is something.
  public Cursor required() {
    return required("");
  }

  public Cursor required(String detail) {
    if (!isEmpty()) {
      return this;
    }
    missing(detail);
    return NOWHERE;
  }

  /// None of these fields is absent or empty.
  public void require(String... fields) {
    for (var field : fields) {
      at(field).required();
    }
  }

  /// A text that `rule` has no complaints about.
  public Cursor follows(Function<String, List<String>> rule) {
    if (errors != null) {
      var text = text();
      complaints(text, rule.apply(text));
    }
    return this;
  }

  /// The same, with all complaints in one objection.
  public Cursor follows(Function<String, List<String>> rule, String separator) {
    var complaints = errors == null ? List.<String>of() : rule.apply(text());
    if (!complaints.isEmpty()) {
      invalidText(String.join(separator, complaints));
    }
    return this;
  }

  public Cursor followsNumber(LongFunction<List<String>> rule) {
    if (errors != null) {
      long number = number();
      complaints(number, rule.apply(number));
    }
    return this;
  }

  private void complaints(Object shown, List<String> complaints) {
    for (int i = 0; i < complaints.size(); i++) {
      invalid(shown, complaints.get(i));
    }
  }

  /// One of the words that the table of types has for this field; an absent one is Required.
  public Cursor oneOf() {
    return required().supported();
  }

  /// One of the words that the table of types has for this field.
  public Cursor supported() {
    return errors == null ? this : supported(words());
  }

  /// One of a few words; an absent one is Required.
  public Cursor oneOf(SequencedCollection<String> words) {
    return required().supported(words);
  }

  /// One of a few words, which may include `""`.
  public Cursor supported(SequencedCollection<String> words) {
    if (errors != null && !words.contains(text())) {
      notSupported(words);
    }
    return this;
  }

  /// A text that none of those in `seen` equals; it joins them.
  public Cursor unique(Set<String> seen) {
    if (errors != null && !seen.add(text())) {
      duplicate();
    }
    return this;
  }

  public Cursor nonNegative() {
    if (number() < 0) {
      invalid(Checks.NOT_NEGATIVE);
    }
    return this;
  }

  /// None of these fields is negative.
  public void noneNegative(String... fields) {
    for (var field : fields) {
      at(field).nonNegative();
    }
  }

  public Cursor positive() {
    if (number() <= 0) {
      invalidNumber(Checks.POSITIVE);
    }
    return this;
  }

  public Cursor nonNegativeQuantity() {
    if (errors != null && Quantity.parse(text()).amount().signum() < 0) {
      invalid(Quantity.parse(text()).toString(), Checks.NOT_NEGATIVE);
    }
    return this;
  }

  public Cursor positiveQuantity() {
    if (errors != null && Quantity.parse(text()).amount().signum() <= 0) {
      invalid(Quantity.parse(text()).toString(), Checks.POSITIVE);
    }
    return this;
  }

  public Cursor inRange(long min, long max) {
    return followsNumber(number -> Names.inRange(number, min, max));
  }

  public Cursor port() {
    return followsNumber(Names::portNumber);
  }

  public Cursor atMostBytes(int max) {
    if (Names.bytes(text()) > max) {
      tooLong(max);
    }
    return this;
  }

  public Cursor atMostCharacters(int max) {
    if (errors != null && text().length() > max) {
      errors.add(FieldError.tooLongText(path(), max));
    }
    return this;
  }

  public Cursor atMostItems(int max) {
    int size = list().size();
    if (errors != null && size > max) {
      errors.tooMany(path(), size, max);
    }
    return this;
  }

  /// Equal to the value that is stored.
  public Cursor immutable(@Nullable Object old) {
    if (!Objects.equals(value(), old)) {
      invalid(Checks.IMMUTABLE);
    }
    return this;
  }

  /// These fields are equal to those of the stored object.
  public void immutable(Tree old, String... fields) {
    for (var field : fields) {
      at(field).immutable(old.get(field));
    }
  }

  /// Forbids those of these fields that are there.
  public void forbidden(String detail, String... fields) {
    for (var field : fields) {
      if (has(field)) {
        at(field).forbidden(detail);
      }
    }
  }

  public void missing() {
    missing("");
  }

  public void missing(String detail) {
    if (errors != null) {
      errors.required(path(), detail);
    }
  }

  public void invalid(String detail) {
    invalid(value(), detail);
  }

  /// The same about another value than the field holds.
  public void invalid(@Nullable Object shown, String detail) {
    if (errors != null) {
      errors.invalid(path(), shown, detail);
    }
  }

  /// The same about a text, which an absent field holds as `""`.
  public void invalidText(String detail) {
    invalid(text(), detail);
  }

  /// The same about a number, which an absent field holds as 0.
  public void invalidNumber(String detail) {
    invalid(number(), detail);
  }

  public void forbidden(String detail) {
    if (errors != null) {
      errors.forbidden(path(), detail);
    }
  }

  public void duplicate() {
    duplicate(value() instanceof String || value() == null ? text() : value());
  }

  public void duplicate(@Nullable Object shown) {
    duplicate(shown, "");
  }

  public void duplicate(@Nullable Object shown, String detail) {
    if (errors != null) {
      errors.add(FieldError.duplicate(path(), shown, detail));
    }
  }

  public void notSupported(SequencedCollection<String> words) {
    notSupported(text(), words);
  }

  public void notSupported(@Nullable Object shown, SequencedCollection<String> words) {
    if (errors != null) {
      errors.notSupported(path(), shown, words);
    }
  }

  public void notFound() {
    if (errors != null) {
      errors.notFound(path(), value() == null ? "" : value());
    }
  }

  public void tooLong(int maxBytes) {
    if (errors != null) {
      errors.tooLong(path(), maxBytes);
    }
  }

  /// An objection that does not repeat the value.
  public void refused(String detail) {
    if (errors != null) {
      errors.add(FieldError.invalidWithoutValue(path(), detail));
    }
  }
}
