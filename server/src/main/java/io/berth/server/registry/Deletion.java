package io.berth.server.registry;

import io.berth.admission.Attributes;
import io.berth.admission.Operation;
import io.berth.api.ApiException;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Trait;
import io.berth.server.Limits;
import io.berth.store.Entry;
import io.berth.store.Key;
import io.berth.store.Transaction;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Deletions: at once, after a grace period, or when the last finalizer goes.
///
/// Everything happens in one transaction. An object that cannot go yet is marked with
/// `deletionTimestamp` and answered as it is then; a pod whose grace is zero is first marked and
/// then removed, so that watchers see both, as in Kubernetes.
final class Deletion {

  private static final String ORPHAN = "orphan";
  private static final String FOREGROUND = "foregroundDeletion";
  private static final long NOT_REVIEWED = -1;

  /// Kinds that have no way to delete what cannot be read.
  private static final Set<String> WITHOUT_UNSAFE_DELETER =
      Set.of(
          "/namespaces",
          "rbac.authorization.k8s.io/roles",
          "rbac.authorization.k8s.io/clusterroles",
          "rbac.authorization.k8s.io/rolebindings",
          "rbac.authorization.k8s.io/clusterrolebindings");

  private final Storage storage;

  Deletion(Storage storage) {
    this.storage = storage;
  }

  Outcome delete(
      Served served, String namespace, String name, DeleteOptions options, Context context) {
    var key = served.key(namespace, name);
    if (options.unsafe()) {
      throw notCorrupt(served, key);
    }
    Result result = null;
    for (int attempt = 1; result == null; attempt++) {
      if (attempt > Limits.UPDATE_ATTEMPTS) {
        throw Writes.modified(served, name);
      }
      long reviewed = review(served, key, options, context);
      result =
          storage.transact(
              served.storage(),
              transaction -> {
                var current =
                    transaction
                        .find(key)
                        .orElseThrow(() -> ApiException.notFound(served.resource(), name));
                return reviewed == NOT_REVIEWED || reviewed == current.revision()
                    ? delete(served, current, options, context, transaction)
                    : null;
              });
    }
    storage.written(served.storage());
    return answer(served, key, result, options);
  }

  /// Shows the deletion to policies and webhooks, if there are any: the revision they saw. The
  /// option is for objects that cannot be read any more; here there are none.
  private ApiException notCorrupt(Served served, Key key) {
    if (WITHOUT_UNSAFE_DELETER.contains(
        served.storage().group() + "/" + served.storage().plural())) {
      var problem =
          "no unsafe deleter provided, can not honor"
              + " ignoreStoreReadErrorWithClusterBreakingPotential";
      return new ApiException(
          500,
          "InternalError",
          "Internal error occurred: " + problem,
          ApiException.withCauses(new Tree(), List.of(Tree.of("message", problem))));
    }
    if (storage.find(served.storage(), key.namespace(), key.name()) == null) {
      return ApiException.notFound(served.resource(), key.name());
    }
    return ApiException.conflict(
        served.resource(),
        key.name(),
        "StorageError: invalid object, Code: 4, Key: %s, ResourceVersion: 0, AdditionalErrorMsg: unsafe deletion is not allowed because the object is decodable from storage"
            .formatted(RegistryKeys.of(key)));
  }

  private long review(Served served, Key key, DeleteOptions options, Context context) {
    boolean reviews = storage.admission().reviews(storage.lookup());
    if (!reviews && !served.judgesServed()) {
      return NOT_REVIEWED;
    }
    var current =
        storage
            .store()
            .find(key)
            .orElseThrow(() -> ApiException.notFound(served.resource(), key.name()));
    // As in Kubernetes, what cannot be converted cannot be deleted in this version either.
    var shown = served.judgesServed() ? served.present(current.object()) : current.object();
    checkPreconditions(served, current, options);
    if (reviews) {
      storage.review(attributes(served, current.key(), shown, options, context), context);
    }
    return current.revision();
  }

  /// Deletes within a transaction that others have begun (eviction, collections).
  Result delete(
      Served served,
      Entry current,
      DeleteOptions options,
      Context context,
      Transaction transaction) {
    checkPreconditions(served, current, options);
    if (options.propagation() == null
        && options.orphanDependents() == null
        && served.kind().has(Trait.ORPHANS_DEPENDENTS)) {
      context.warn(
          "child pods are preserved by default when jobs are deleted; set"
              + " propagationPolicy=Background to remove them or set propagationPolicy=Orphan to"
              + " suppress this warning");
    }
    var attributes = attributes(served, current.key(), current.object(), options, context);
    storage.admission().mutate(attributes, storage.lookup(transaction));
    storage.admission().validate(attributes, storage.lookup(transaction));
    context.hear(attributes);
    if (served.storage().equals(Resource.NAMESPACES)) {
      var kept =
          NamespaceDeletion.mark(
              current, finalizers(served, current.object(), options), context.now());
      if (kept != null) {
        return marked(current.key(), kept, options, transaction);
      }
    }
    if (served.storage().equals(Resource.CUSTOM_RESOURCE_DEFINITIONS)
        && current.object().at("metadata", "deletionTimestamp") == null) {
      var kept = DefinitionDeletion.mark(current.object(), context.now());
      return marked(current.key(), kept, options, transaction);
    }
    return deleteOne(served, current, options, context, transaction);
  }

  private Result deleteOne(
      Served served,
      Entry current,
      DeleteOptions options,
      Context context,
      Transaction transaction) {
    var old = current.object();
    var object = old.copy();
    var meta = object.child("metadata");
    var grace = grace(served, old, meta, options, context.now());
    if (grace == Grace.PENDING) {
      return new Result(old, current, false);
    }
    var finalizers = finalizers(served, old, options);
    if (finalizers.isEmpty()) {
      meta.remove("finalizers");
    } else {
      meta.put("finalizers", finalizers);
    }
    boolean held = !finalizers.isEmpty();
    if (grace == Grace.NOW && held) {
      markAsDeleting(meta, context.now());
      return marked(current.key(), object, options, transaction);
    }
    if (grace == Grace.LATER) {
      boolean wait = held || meta.number(0, "deletionGracePeriodSeconds") > 0;
      if (wait || options.dryRun()) {
        return marked(current.key(), object, options, transaction);
      }
      if (!object.equals(old)) {
        transaction.put(current.key(), object);
      }
    }
    if (options.dryRun()) {
      return new Result(old, current, true);
    }
    var last = transaction.delete(current.key());
    served.kind().strategy().afterDelete(last.object());
    return new Result(last.object(), last, true);
  }

  private static Result marked(
      Key key, Tree object, DeleteOptions options, Transaction transaction) {
    if (options.dryRun()) {
      return new Result(object, null, false);
    }
    var existing = transaction.find(key).orElseThrow();
    if (object.equals(existing.object())) {
      return new Result(existing.object(), existing, false);
    }
    var entry = transaction.put(key, object);
    return new Result(entry.object(), entry, false);
  }

  /// Decides how long the object stays, and writes that into its metadata.
  private static Grace grace(
      Served served, Tree old, Tree meta, DeleteOptions options, Instant now) {
    var strategy = served.kind().strategy();
    var requested = options.graceSeconds();
    if (old.at("metadata", "deletionTimestamp") != null) {
      long left = meta.number(0, "deletionGracePeriodSeconds");
      if (strategy.gracePeriodSeconds(old, requested) == null || left == 0) {
        return Grace.NOW;
      }
      if (requested == null || requested >= left) {
        return Grace.PENDING;
      }
      var deadline = Instant.parse(meta.textOrEmpty("deletionTimestamp"));
      meta.put("deletionTimestamp", Metadata.time(later(later(deadline, -left), requested)));
      meta.put("deletionGracePeriodSeconds", requested);
      return Grace.LATER;
    }
    var seconds = strategy.gracePeriodSeconds(old, requested);
    if (seconds == null) {
      return Grace.NOW;
    }
    meta.put("deletionTimestamp", Metadata.time(later(now, seconds)));
    meta.put("deletionGracePeriodSeconds", seconds);
    countGeneration(meta);
    return Grace.LATER;
  }

  /// As in Kubernetes, whose durations are nanoseconds in 64 bits: what is too long wraps around.
  private static Instant later(Instant time, long seconds) {
    return time.plusNanos(seconds * 1_000_000_000L);
  }

  private static void markAsDeleting(Tree meta, Instant now) {
    if (meta.get("deletionTimestamp") == null) {
      countGeneration(meta);
      meta.put("deletionTimestamp", Metadata.time(now));
    }
    meta.put("deletionGracePeriodSeconds", 0);
  }

  private static void countGeneration(Tree meta) {
    long generation = meta.number(0, "generation");
    if (generation > 0) {
      meta.put("generation", generation + 1);
    }
  }

  /// The finalizers after this deletion: what dependents shall suffer is one of them.
  private static List<String> finalizers(Served served, Tree object, DeleteOptions options) {
    var finalizers = new ArrayList<String>();
    for (var each : object.list("metadata", "finalizers")) {
      if (each instanceof String finalizer) {
        finalizers.add(finalizer);
      }
    }
    boolean orphan = wantsOrphan(served, options, finalizers);
    boolean foreground = wantsForeground(options, finalizers);
    if (orphan == finalizers.contains(ORPHAN) && foreground == finalizers.contains(FOREGROUND)) {
      return finalizers;
    }
    finalizers.removeAll(List.of(ORPHAN, FOREGROUND));
    if (orphan) {
      finalizers.add(ORPHAN);
    }
    if (foreground) {
      finalizers.add(FOREGROUND);
    }
    return finalizers;
  }

  private static boolean wantsOrphan(
      Served served, DeleteOptions options, List<String> finalizers) {
    if (options.orphanDependents() != null) {
      return options.orphanDependents();
    }
    if (options.propagation() != null) {
      return options.propagation().equals("Orphan");
    }
    if (finalizers.contains(ORPHAN)) {
      return true;
    }
    if (finalizers.contains(FOREGROUND)) {
      return false;
    }
    return served.kind().has(Trait.ORPHANS_DEPENDENTS);
  }

  private static boolean wantsForeground(DeleteOptions options, List<String> finalizers) {
    if (options.orphanDependents() != null) {
      return false;
    }
    if (options.propagation() != null) {
      return options.propagation().equals("Foreground");
    }
    return finalizers.contains(FOREGROUND) && !finalizers.contains(ORPHAN);
  }

  private static void checkPreconditions(Served served, Entry current, DeleteOptions options) {
    var meta = current.object().treeOrEmpty("metadata");
    checkPrecondition(served, current, "UID", options.uid(), meta.textOrEmpty("uid"));
    checkPrecondition(
        served,
        current,
        "ResourceVersion",
        options.resourceVersion(),
        meta.textOrEmpty("resourceVersion"));
  }

  private static void checkPrecondition(
      Served served, Entry current, String what, @Nullable String wanted, String actual) {
    if (wanted == null || wanted.equals(actual)) {
      return;
    }
    var resource = served.resource();
    if (resource.equals(Resource.NAMESPACES)) {
      throw ApiException.conflict(
          resource,
          current.key().name(),
          "Precondition failed: %s in precondition: %s, %s in object meta: %s"
              .formatted(what, wanted, what, actual));
    }
    var kind =
        resource.group().isEmpty() ? resource.kind() : resource.kind() + "." + resource.group();
    var name = current.key().name();
    throw new ApiException(
        409,
        "Conflict",
        "Operation cannot be fulfilled on %s \"%s\": the %s in the precondition (%s) does not match the %s in record (%s). %s"
            .formatted(
                kind,
                name,
                what,
                wanted,
                what,
                actual,
                what.equals("UID")
                    ? "The object might have been deleted and then recreated"
                    : "The object might have been modified"),
        ApiException.details(resource, name, resource.kind()));
  }

  /// Whether an updated object must go now: marked, no grace left, no finalizers left.
  static boolean isDue(Resource resource, Tree object) {
    var meta = object.treeOrEmpty("metadata");
    return meta.get("deletionTimestamp") != null
        && meta.number(0, "deletionGracePeriodSeconds") == 0
        && meta.list("finalizers").isEmpty()
        && (!resource.equals(Resource.NAMESPACES) || object.list("spec", "finalizers").isEmpty());
  }

  Outcome answer(Served served, Key key, Result result, DeleteOptions options) {
    boolean accepted =
        !result.gone() && options.orphanDependents() != null && !options.orphanDependents();
    int code = accepted ? 202 : 200;
    if (!result.gone() || served.kind().has(Trait.DELETE_RETURNS_OBJECT)) {
      return result.entry() != null
          ? Outcome.of(code, served, result.entry())
          : Outcome.of(code, served.present(result.object()));
    }
    var resource = served.resource();
    var details = ApiException.details(resource, key.name(), resource.plural());
    details.put("uid", result.object().textOrEmpty("metadata", "uid"));
    return Outcome.of(
        code,
        Tree.of(
            "kind", "Status",
            "apiVersion", "v1",
            "metadata", new Tree(),
            "status", "Success",
            "details", details));
  }

  private static Attributes attributes(
      Served served, Key key, Tree object, DeleteOptions options, Context context) {
    return new Attributes(
        Operation.DELETE,
        served.judged(),
        "",
        key.namespace(),
        key.name(),
        null,
        object,
        context.user(),
        context.dryRun(),
        served.resource(),
        options.tree());
  }

  private enum Grace {
    NOW,
    LATER,
    PENDING
  }

  /// The object as it is now, or as it was when it went.
  record Result(Tree object, @Nullable Entry entry, boolean gone) {}
}
