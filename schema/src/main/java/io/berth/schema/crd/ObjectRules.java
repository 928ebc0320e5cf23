package io.berth.schema.crd;

import io.berth.api.FieldError;
import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Tree;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What the schema of a version asks of its objects, in the order in which Kubernetes checks it.
///
/// `old` is the object that an update replaces, or `null`: what it leaves as it was is forgiven.
public final class ObjectRules {

  // Expressions are not evaluated on objects that are not what their types say.
  private static final Set<FieldError.Type> BLOCKING =
      Set.of(
          FieldError.Type.NOT_SUPPORTED,
          FieldError.Type.REQUIRED,
          FieldError.Type.TOO_LONG,
          FieldError.Type.TOO_MANY,
          FieldError.Type.TYPE_INVALID);

  private final StructuralSchema structure;
  private final SchemaRules rules;
  private volatile @Nullable ExpressionRules expressions;

  ObjectRules(Tree schema, StructuralSchema structure) {
    this.structure = structure;
    this.rules = SchemaRules.of(schema);
  }

  /// Types, bounds, patterns and formats of all values.
  public void checkValues(Tree object, @Nullable Tree old, FieldErrors errors) {
    var before = old == null ? null : new Correlation(object, old, rules);
    rules.check(object, "", before).addTo(FieldPath.ROOT, errors);
  }

  /// The same for the status alone.
  public void checkStatusValues(Tree object, Tree old, FieldErrors errors) {
    var status = rules.property("status");
    if (status != null && object.has("status")) {
      var before = new Correlation(object, old, rules).field("status");
      status.check(object.get("status"), "", before).addTo(FieldPath.of("status"), errors);
    }
  }

  /// Embedded objects, lists that are sets or maps, and expressions. `errors` holds what was found
  /// before.
  public void checkStructure(Tree object, @Nullable Tree old, FieldErrors errors) {
    EmbeddedResources.check(object, structure, FieldPath.ROOT, errors);
    checkLists(object, old, errors);
    checkExpressions(object, old, errors);
  }

  /// The same for a change of the status alone.
  public void checkStatusStructure(Tree object, Tree old, FieldErrors errors) {
    checkLists(object, old, errors);
    checkExpressions(object, old, errors);
  }

  /// What rules object to and an update may leave as it was.
  public List<String> warnings(Tree object, Tree old) {
    return structure.hasExpressions()
        ? expressions().forgiven(object, old, new Correlation(object, old, rules)).list().stream()
            .map(FieldError::toString)
            .toList()
        : List.of();
  }

  private void checkLists(Tree object, @Nullable Tree old, FieldErrors errors) {
    var found = new FieldErrors();
    ListTypes.check(object, structure, FieldPath.ROOT, found);
    if (!found.isEmpty() && (old == null || isFreeOfDuplicates(old))) {
      errors.addAll(found);
    }
  }

  private boolean isFreeOfDuplicates(Tree old) {
    var found = new FieldErrors();
    ListTypes.check(old, structure, FieldPath.ROOT, found);
    return found.isEmpty();
  }

  private void checkExpressions(Tree object, @Nullable Tree old, FieldErrors errors) {
    if (!structure.hasExpressions()) {
      return;
    }
    if (errors.list().stream().anyMatch(error -> BLOCKING.contains(error.type()))) {
      errors.invalid(
          FieldPath.ROOT,
          null,
          "some validation rules were not checked because the object was invalid; correct the"
              + " existing errors to complete validation");
      return;
    }
    var before = old == null ? null : new Correlation(object, old, rules);
    expressions().check(object, old, before, errors);
  }

  /// Compiled when the first object needs them; two threads that find them missing both do it.
  private ExpressionRules expressions() {
    var compiled = expressions;
    if (compiled == null) {
      compiled = ExpressionRules.of(structure, true);
      expressions = compiled;
    }
    return compiled;
  }
}
