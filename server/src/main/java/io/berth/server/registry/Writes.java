package io.berth.server.registry;

import io.berth.admission.Attributes;
import io.berth.admission.Operation;
import io.berth.api.ApiException;
import io.berth.api.Tree;
import io.berth.kinds.Lifecycle;
import io.berth.kinds.UpdateRules;
import io.berth.server.Limits;
import io.berth.store.Entry;
import io.berth.store.Transaction;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Creations and updates: admission, the kind's rules, and one transaction.
///
/// An update reads, computes outside the transaction, and stores only if nobody else wrote
/// meanwhile; otherwise it starts over.
final class Writes {

  private static final int MAX_REVISION_DIGITS = 19;

  private final Storage storage;
  private final GatedFields gated;
  private final Turns turns = new Turns();

  Writes(Storage storage) {
    this.storage = storage;
    this.gated = new GatedFields(storage.catalog());
  }

  /// Stores a new object, given in the version it is served in and owned by this call from now on.
  Outcome create(Served served, String namespace, Tree given, Context context) {
    Metadata.dropDoubleOwners(given, false, context);
    return create(served, namespace, given, context, false);
  }

  /// `managed` says that the owners of fields are noted already.
  private Outcome create(
      Served served, String namespace, Tree given, Context context, boolean managed) {
    Metadata.placeIn(namespace, served.resource(), given);
    if (served.custom() != null && served.custom().terminating()) {
      throw ApiException.forbidden(
          served.resource(),
          given.textOrEmpty("metadata", "name"),
          "create not allowed while custom resource definition is terminating");
    }
    var object = defaulted(served, given);
    if (!managed) {
      storage.fields().created(served, object, context);
    }
    var attributes = attributes(Operation.CREATE, served, "", object, null, context);
    storage.mutate(attributes, context);
    Metadata.dropDoubleOwners(object, true, context);
    storage.checkRights(served.storage(), object, null, context.user());
    Metadata.initialize(object, context.now());
    if (!Metadata.generatesName(object)) {
      return store(served, object, context, false);
    }
    var base = object.textOrEmpty("metadata", "generateName");
    for (int attempt = 1; ; attempt++) {
      var named = object.copy();
      named.child("metadata").put("name", Metadata.generatedName(base));
      try {
        return store(served, named, context, true);
      } catch (ApiException e) {
        if (!e.is("AlreadyExists") || attempt == Limits.NAME_ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  private Outcome store(Served served, Tree object, Context context, boolean generated) {
    var kind = served.kind();
    var write = context.write();
    try (var reservation = kind.strategy().reserve(object, null, write)) {
      context.warnAll(Lifecycle.beforeCreate(kind, object, write));
      var name = object.textOrEmpty("metadata", "name");
      var key = served.key(object.textOrEmpty("metadata", "namespace"), name);
      var attributes = attributes(Operation.CREATE, served, "", object, null, context);
      storage.review(attributes, context);
      var settled = served.settled(object);
      var entry =
          storage.transact(
              kind.resource(),
              transaction -> {
                // As in Kubernetes, admission objects first: a full quota is told, not the name.
                storage.admission().validate(attributes, storage.lookup(transaction));
                var existing = transaction.find(key).orElse(null);
                if (existing != null) {
                  throw exists(served, existing, generated);
                }
                if (context.dryRun()) {
                  return null;
                }
                if (isRevision(object.textOrEmpty("metadata", "resourceVersion"))) {
                  throw new ApiException(
                      500, "", "resourceVersion should not be set on objects to be created");
                }
                var stored = transaction.put(key, Metadata.ordered(settled));
                storage.companions().created(kind.resource(), stored, transaction, context);
                return stored;
              });
      context.hear(attributes);
      if (entry == null) {
        return Outcome.of(201, served.present(settled));
      }
      reservation.keep();
      storage.written(kind.resource());
      return Outcome.of(201, served, entry);
    }
  }

  private static ApiException exists(Served served, Entry existing, boolean generated) {
    var name = existing.key().name();
    var details = ApiException.details(served.resource(), name, served.resource().plural());
    boolean leaving = existing.object().at("metadata", "deletionTimestamp") != null;
    return new ApiException(
        409,
        "AlreadyExists",
        "%s%s \"%s\" already exists%s"
            .formatted(
                leaving ? "object is being deleted: " : "",
                served.resource().qualified(),
                name,
                generated
                    ? ", the server was not able to generate a unique name for the object"
                    : ""),
        generated ? details.put("retryAfterSeconds", 1) : details);
  }

  /// Changes an object through one of its doors. `change` makes the new state, in the served
  /// version, from the current one, and may be called again when others write meanwhile.
  Outcome update(
      Served served,
      String subresource,
      String namespace,
      String name,
      Change change,
      Context context) {
    var key = served.key(namespace, name);
    try (var turn = turns.of(key)) {
      for (int attempt = 1; attempt <= Limits.UPDATE_ATTEMPTS; attempt++) {
        var current = storage.store().find(key).orElse(null);
        var done =
            current == null
                ? createInstead(served, subresource, namespace, name, change, context)
                : replace(served, subresource, current, change, context);
        if (done != null) {
          return done;
        }
        turn.take();
      }
    }
    throw modified(served, name);
  }

  /// Makes what is not there, where the change allows; `null` when somebody else made it first.
  private @Nullable Outcome createInstead(
      Served served,
      String subresource,
      String namespace,
      String name,
      Change change,
      Context context) {
    var created = change.from(null);
    if (created == null || !subresource.isEmpty()) {
      throw ApiException.notFound(served.resource(), name);
    }
    storage.checkMayCreate(served.resource(), namespace, name, context.user());
    try {
      return create(served, namespace, created, context, change.managesFields());
    } catch (ApiException e) {
      if (e.is("AlreadyExists")) {
        return null;
      }
      throw e;
    }
  }

  private @Nullable Outcome replace(
      Served served, String subresource, Entry current, Change change, Context context) {
    var shown = served.present(current.object());
    var proposed = change.from(shown.freeze());
    return replace(
        served,
        subresource,
        current,
        served.judgesServed() ? shown : served.before(current.object()),
        Objects.requireNonNull(proposed),
        context,
        change.managesFields());
  }

  /// One attempt; `null` when somebody else wrote first.
  private @Nullable Outcome replace(
      Served served,
      String subresource,
      Entry current,
      Tree old,
      Tree proposed,
      Context context,
      boolean managed) {
    var key = current.key();
    var object = defaulted(served, proposed);
    var meta = object.child("metadata");
    var given = meta.textOrEmpty("resourceVersion");
    boolean conditional = !given.isEmpty() && !given.equals("0");
    if (conditional && !given.chars().allMatch(c -> c >= '0' && c <= '9')) {
      throw new ApiException(
          500, "", "strconv.ParseUint: parsing \"%s\": invalid syntax".formatted(given));
    }
    if (conditional && !given.equals(String.valueOf(current.revision()))) {
      throw modified(served, key.name());
    }
    meta.put("resourceVersion", String.valueOf(current.revision()));
    if (!managed) {
      storage.fields().updated(served, subresource, old, object, context);
    }
    var attributes = attributes(Operation.UPDATE, served, subresource, object, old, context);
    storage.mutate(attributes, context);
    Metadata.dropDoubleOwners(object, true, context);
    storage.checkRights(served.storage(), object, old, context.user());
    var rules = rules(served, subresource);
    try (var reservation = served.kind().strategy().reserve(object, old, context.write())) {
      context.warnAll(Lifecycle.beforeUpdate(served.kind(), rules, object, old, context.write()));
      storage.review(attributes, context);
      var settled = served.settled(object);
      Metadata.keepTimes(settled, current.object());
      var attempt =
          storage.transact(
              served.storage(),
              transaction -> commit(attributes, current, settled, transaction, context));
      if (attempt.lost()) {
        return null;
      }
      context.hear(attributes);
      reservation.keep();
      if (attempt.gone()) {
        served.kind().strategy().afterDelete(settled);
      }
      storage.written(served.storage());
      return attempt.stored() == null
          ? Outcome.of(200, served.present(settled))
          : Outcome.of(200, served, attempt.stored());
    }
  }

  private Attempt commit(
      Attributes attributes, Entry current, Tree object, Transaction transaction, Context context) {
    var key = current.key();
    var now = transaction.find(key).orElse(null);
    if (now == null || now.revision() != current.revision()) {
      return Attempt.LOST;
    }
    storage.admission().validate(attributes, storage.lookup(transaction));
    if (context.dryRun()) {
      return Attempt.SHOWN;
    }
    // Nothing changed: no new revision, no event, as kubectl's "unchanged" needs.
    if (object.equals(current.object())) {
      return Attempt.stored(current);
    }
    if (Deletion.isDue(attributes.resource(), object)) {
      transaction.delete(key);
      return Attempt.GONE;
    }
    return Attempt.stored(transaction.put(key, Metadata.ordered(object)));
  }

  /// What came of one attempt. Nothing is stored in dry runs, and when the last finalizer went and
  /// the object with it: the answer is then the proposed object.
  private record Attempt(@Nullable Entry stored, boolean lost, boolean gone) {

    static final Attempt LOST = new Attempt(null, true, false);
    static final Attempt SHOWN = new Attempt(null, false, false);
    static final Attempt GONE = new Attempt(null, false, true);

    static Attempt stored(Entry entry) {
      return new Attempt(entry, false, false);
    }
  }

  /// Refuses a PUT that means another object of this name, or one that is gone.
  static void checkUid(Served served, Tree object, @Nullable Tree old) {
    var given = object.textOrEmpty("metadata", "uid");
    var own = old == null ? "" : old.textOrEmpty("metadata", "uid");
    if (!given.isEmpty() && !given.equals(own)) {
      var meta = object.treeOrEmpty("metadata");
      var key = served.key(meta.textOrEmpty("namespace"), meta.textOrEmpty("name"));
      throw ApiException.conflict(
          served.resource(),
          key.name(),
          "StorageError: invalid object, Code: 4, Key: %s, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: %s, UID in object meta: %s"
              .formatted(RegistryKeys.of(key), given, own));
    }
  }

  /// As in Kubernetes, what is no number passes for none.
  private static boolean isRevision(String text) {
    return text.chars().allMatch(c -> c >= '0' && c <= '9')
        && text.chars().anyMatch(c -> c != '0')
        && text.length() <= MAX_REVISION_DIGITS;
  }

  private static UpdateRules rules(Served served, String subresource) {
    var rules = served.kind().subresources().get(subresource);
    return rules == null ? served.kind().strategy() : rules;
  }

  private Tree defaulted(Served served, Tree given) {
    var object = served.store(given);
    gated.drop(served.storage(), object);
    served.kind().strategy().setDefaults(object);
    return object;
  }

  private Attributes attributes(
      Operation operation,
      Served served,
      String subresource,
      Tree object,
      @Nullable Tree old,
      Context context) {
    return new Attributes(
        operation,
        served.judged(),
        subresource,
        object.textOrEmpty("metadata", "namespace"),
        object.textOrEmpty("metadata", "name"),
        object,
        old,
        context.user(),
        context.dryRun(),
        served.resource(),
        context.options().tree(operation == Operation.CREATE ? "CreateOptions" : "UpdateOptions"));
  }

  static ApiException modified(Served served, String name) {
    return ApiException.conflict(
        served.resource(),
        name,
        "the object has been modified; please apply your changes to the latest version and try"
            + " again");
  }

  /// Makes the next state of an object.
  interface Change {

    /// The new object, mutable; `current` is frozen or `null` when there is none, and then `null`
    /// says that there shall be none.
    @Nullable Tree from(@Nullable Tree current);

    /// Whether the change notes by itself who owns which field.
    default boolean managesFields() {
      return false;
    }
  }

  static Change of(Function<Tree, Tree> change) {
    return current -> current == null ? null : change.apply(current);
  }
}
