package io.berth.kinds;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.meta.Cursor;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Everything that is particular to one kind.
///
/// Objects are trees in the storage version, already decoded strictly: fields are known, of the
/// right type, and never `null`; what is absent has Go's zero value. A strategy changes only the
/// object it is handed and keeps nothing between calls, except for [#reserve].
///
/// [Lifecycle] says in which order these are called.
public interface Strategy extends UpdateRules {

  /// Fills in what the caller left out. Runs on every decoded object, also after a patch, before
  /// admission; running it again changes nothing.
  default void setDefaults(Tree object) {}

  /// Sets what the server owns in a new object (status, generation) and drops what is off.
  default void prepareForCreate(Tree object, Write write) {}

  /// Objections to a new object, metadata included.
  void validateCreate(Cursor object);

  /// Texts of `Warning` headers for an accepted new object.
  default List<String> warningsOnCreate(Tree object) {
    return List.of();
  }

  /// The subresources that are doors to the same object, by name, each with its own rules; none for
  /// what [Kind#subresources()] gives every kind with a status.
  default Map<String, UpdateRules> subresources() {
    return Map.of();
  }

  /// How `scale` reads and writes this kind, or `null` when it has no such subresource.
  default @Nullable ScaleRules scale() {
    return null;
  }

  /// Takes what must be unique in the cluster (addresses, node ports) and writes it into the
  /// object; refuses with an exception when it is not to be had. Runs before preparation.
  default Reservation reserve(Tree object, @Nullable Tree old, Write write) {
    return Reservation.NONE;
  }

  /// Whether objects of this kind hold something reserved: then [#adopt] wants to see them all.
  default boolean reserves() {
    return false;
  }

  /// Learns of an object that was stored before this process started, and of what it holds.
  default void adopt(Tree object) {}

  /// Gives back what a deleted object held.
  default void afterDelete(Tree object) {}

  /// Why the object of this name is never deleted, or `null` when it may be.
  default @Nullable String whyUndeletable(String name) {
    return null;
  }

  /// Seconds the object stays after a DELETE that asked for `requested` (`null`: did not ask), or
  /// `null` when this kind is not deleted gracefully.
  default @Nullable Long gracePeriodSeconds(Tree object, @Nullable Long requested) {
    return null;
  }

  /// The columns of this kind's tables, as `served` shows them.
  default List<Columns.Column> columns(Resource served) {
    return Columns.of(served);
  }

  /// The cells of the object's row, one for each of [#columns].
  default List<@Nullable Object> cells(Tree object, Instant now) {
    return Cells.nameAndCreation(object);
  }

  /// The metadata that tables show, and clients that ask for nothing else.
  default Tree metadata(Tree object) {
    return object.treeOrEmpty("metadata");
  }

  /// The conditions of the object's row: what a client may show in another colour.
  default List<Tree> rowConditions(Tree object) {
    return List.of();
  }

  /// Fields beyond `metadata.name` and `metadata.namespace` that a field selector may name.
  default Set<String> fieldLabels() {
    return Set.of();
  }

  /// The value of one of [#fieldLabels].
  default String fieldValue(Tree object, String label) {
    return object.textOrEmpty(label.split("\\."));
  }

  /// Whether an unknown field in a selector is answered by the kind's own conversion: `field label
  /// not supported: x`.
  default boolean convertsFieldLabels() {
    return !fieldLabels().isEmpty();
  }

  /// The kind's own words about such a field.
  default String unknownFieldLabel(String label) {
    return "field label not supported: " + label;
  }
}
