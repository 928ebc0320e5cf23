package io.berth.server.registry;

import io.berth.admission.AdmissionChain;
import io.berth.admission.Attributes;
import io.berth.admission.Lookup;
import io.berth.admission.Operation;
import io.berth.api.ApiException;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Trait;
import io.berth.server.access.Authorizer;
import io.berth.server.access.Objects;
import io.berth.store.Entry;
import io.berth.store.Range;
import io.berth.store.Store;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Every operation on objects, for HTTP and for callers in this process.
///
/// Objects handed in are in the version they are served in, mutable, and belong to the registry
/// from then on. Authorization is the caller's part.
public final class Registry {

  private final Storage storage;
  private final Reads reads;
  private final Writes writes;
  private final Deletion deletion;
  private final BindPod bindPod;
  private final EvictPod evictPod;

  public Registry(
      Store store,
      Catalog catalog,
      AdmissionChain admission,
      Authorizer authorizer,
      InstantSource clock) {
    this.storage = new Storage(store, catalog, admission, authorizer, clock);
    this.reads = new Reads(store);
    this.writes = new Writes(storage);
    this.deletion = new Deletion(storage);
    this.bindPod = new BindPod(storage);
    this.evictPod = new EvictPod(storage, deletion);
    adoptStored(store, catalog);
  }

  // What stored objects hold, such as a service its address, must not be given out again.
  private static void adoptStored(Store store, Catalog catalog) {
    for (var kind : catalog.builtIn()) {
      if (kind.strategy().reserves()) {
        var range = Range.of(kind.resource().group(), kind.resource().plural());
        store.list(range).entries().forEach(entry -> kind.strategy().adopt(entry.object()));
      }
    }
  }

  public Catalog catalog() {
    return storage.catalog();
  }

  public Store store() {
    return storage.store();
  }

  /// How admission sees the newest state.
  public Lookup lookup() {
    return storage.lookup();
  }

  public Objects objects() {
    return storage;
  }

  /// Hears of the resource of every write before the writer gets its answer.
  public void observe(Consumer<Resource> observer) {
    storage.observe(observer);
  }

  public Entry fetch(Served served, String namespace, String name, String resourceVersion) {
    return reads.fetch(served, namespace, name, resourceVersion);
  }

  public Page list(Served served, String namespace, ListOptions options) {
    return reads.list(served, namespace, options);
  }

  /// Whether an object belongs to a selection; refuses fields this kind cannot select by.
  public Predicate<Tree> matcher(Served served, ListOptions options) {
    return Reads.matcher(served, options, Reads.checked(served, options.fields()));
  }

  /// Waits a little for a revision that is not there yet, and refuses one that does not come.
  public void await(long revision) {
    reads.awaitRevision(revision);
  }

  /// Refuses a revision that is no number.
  public void checkRevision(String resourceVersion) {
    Reads.revision(resourceVersion, false);
  }

  public Outcome create(Served served, String namespace, Tree object, Context context) {
    return writes.create(served, namespace, object, context);
  }

  /// PUT: the whole object, or what a subresource shows of it.
  public Outcome update(
      Served served,
      String subresource,
      String namespace,
      String name,
      Tree object,
      Context context) {
    checkName(object, name);
    Metadata.placeIn(namespace, served.resource(), object);
    Metadata.dropDoubleOwners(object, false, context);
    return writes.update(served, subresource, namespace, name, new Put(served, object), context);
  }

  public Outcome delete(
      Served served, String namespace, String name, DeleteOptions options, Context context) {
    var why = served.kind().strategy().whyUndeletable(name);
    if (why != null) {
      throw ApiException.forbidden(served.resource(), name, why);
    }
    return deletion.delete(served, namespace, name, options, context);
  }

  /// PATCH: what `patch` makes of the object as it is served.
  public Outcome patch(
      Served served,
      String subresource,
      String namespace,
      String name,
      UnaryOperator<Tree> patch,
      Context context) {
    return writes.update(
        served,
        subresource,
        namespace,
        name,
        Writes.of(current -> {
          var patched = patch.apply(current);
          checkName(patched, name);
          Metadata.placeIn(namespace, served.resource(), patched);
          return patched;
        }),
        context);
  }

  /// Server-side apply: merges a configuration into the object, which is made if there is none.
  public Outcome apply(
      Served served,
      String subresource,
      String namespace,
      String name,
      Tree configuration,
      Context context) {
    return writes.update(
        served,
        subresource,
        namespace,
        name,
        new Writes.Change() {
          @Override
          public Tree from(@Nullable Tree current) {
            var merged =
                storage.fields().applied(served, subresource, current, configuration, context);
            if (current == null) {
              checkAbsent(served, merged, name);
            }
            checkName(merged, name);
            Metadata.placeIn(namespace, served.resource(), merged);
            return merged;
          }

          @Override
          public boolean managesFields() {
            return true;
          }
        },
        context);
  }

  /// What is applied where nothing is must not mean an object that was there once.
  private static void checkAbsent(Served served, Tree object, String name) {
    var uid = object.textOrEmpty("metadata", "uid");
    if (!uid.isEmpty()) {
      throw ApiException.conflict(
          served.resource(),
          name,
          "uid mismatch: the provided object specified uid %s, and no existing object was found"
              .formatted(uid));
    }
    object.child("metadata").remove("resourceVersion");
  }

  private static void checkName(Tree object, String name) {
    var own = object.textOrEmpty("metadata", "name");
    if (own.isEmpty()) {
      throw ApiException.badRequest(
          "the name of the object (%s based on URL) was undeterminable: name must be provided"
              .formatted(name));
    }
    if (!own.equals(name)) {
      throw ApiException.badRequest(
          "the name of the object (%s) does not match the name on the URL (%s)"
              .formatted(own, name));
    }
  }

  /// The object's replica count as a `Scale`.
  public Tree scaleOf(Served served, Tree object) {
    Scales.check(served, object);
    return Scales.of(served, object);
  }

  /// Sets the replica count to that of the `Scale` which `change` makes of the current one.
  public Outcome updateScale(
      Served served, String namespace, String name, UnaryOperator<Tree> change, Context context) {
    return writeScale(
        served,
        namespace,
        name,
        current -> {
          var live = storage.fields().scaleOf(served, current);
          var scale = change.apply(live.copy().freeze()).copy();
          var object = scaled(served, current, scale, name);
          storage.fields().scaled(served, live, scale, object, context);
          return object;
        },
        context);
  }

  /// Server-side apply of a `Scale`: its replica count is that of the object behind it, and so are
  /// the owners.
  public Outcome applyScale(
      Served served, String namespace, String name, Tree configuration, Context context) {
    return writeScale(
        served,
        namespace,
        name,
        current -> {
          var live = storage.fields().scaleOf(served, current);
          var scale = storage.fields().appliedToScale(live, configuration, context);
          var object = scaled(served, current, scale, name);
          storage.fields().keepOwners(served, scale, object);
          return object;
        },
        context);
  }

  private static Tree scaled(Served served, Tree current, Tree scale, String name) {
    Metadata.checkPlace(current.textOrEmpty("metadata", "namespace"), scale);
    checkName(scale, name);
    return Scales.applied(served, current, scale);
  }

  private Outcome writeScale(
      Served served, String namespace, String name, UnaryOperator<Tree> change, Context context) {
    var outcome =
        writes.update(
            served,
            "scale",
            namespace,
            name,
            new Writes.Change() {
              @Override
              public @Nullable Tree from(@Nullable Tree current) {
                return current == null ? null : change.apply(current);
              }

              @Override
              public boolean managesFields() {
                return true;
              }
            },
            context);
    return Outcome.shown(outcome.code(), Scales.of(served, outcome.object()));
  }

  /// Deletes what a selection holds now, one object after another; the objects as they were.
  public Page deleteCollection(
      Served served,
      String namespace,
      ListOptions selection,
      DeleteOptions options,
      Context context) {
    var page = reads.list(served, namespace, selection);
    for (var entry : page.entries()) {
      try {
        deletion.delete(served, entry.key().namespace(), entry.key().name(), options, context);
      } catch (ApiException e) {
        if (!e.is("NotFound")) {
          throw e;
        }
      }
    }
    return page;
  }

  /// Lets admission see a creation below an object that changes nothing in the store.
  public void admitSubresource(
      Served served,
      String subresource,
      String namespace,
      String name,
      Tree body,
      Context context) {
    var attributes =
        new Attributes(
            Operation.CREATE,
            served.storage(),
            subresource,
            namespace,
            name,
            body,
            null,
            context.user(),
            context.dryRun(),
            served.resource(),
            context.options().tree("CreateOptions"));
    storage.mutate(attributes, context);
    storage.review(attributes, context);
    storage.admission().validate(attributes, storage.lookup());
    context.hear(attributes);
  }

  /// A time as objects carry it.
  public static String timeOf(Instant at) {
    return Metadata.time(at);
  }

  /// POST to a subresource that acts on its object; the answer.
  public Tree post(
      Served served,
      String namespace,
      String name,
      String subresource,
      Tree body,
      Context context) {
    var what = served.storage().plural() + "/" + subresource;
    switch (what) {
      case "pods/binding" -> bindPod.bind(namespace, name, body, context);
      case "pods/eviction" ->
          evictPod.evict(
              namespace,
              name,
              body,
              DeleteOptions.of(body.treeOrEmpty("deleteOptions"), context.dryRun()),
              context);
      default -> throw new IllegalArgumentException("nothing is posted to " + what);
    }
    return Tree.of(
        "kind", "Status",
        "apiVersion", "v1",
        "metadata", new Tree(),
        "status", "Success",
        "code", 201);
  }

  /// The new state is what the caller sent, whatever was there.
  private record Put(Served served, Tree object) implements Writes.Change {

    @Override
    public @Nullable Tree from(@Nullable Tree current) {
      if (current == null && !served.kind().has(Trait.CREATE_ON_UPDATE)) {
        return null;
      }
      Writes.checkUid(served, object, current);
      if (current == null) {
        return created();
      }
      var given = object.textOrEmpty("metadata", "resourceVersion");
      if (given.isEmpty() && served.kind().has(Trait.CONDITIONAL_UPDATE)) {
        throw unversioned();
      }
      return object.copy();
    }

    private Tree created() {
      var created = object.copy();
      created.child("metadata").remove("resourceVersion");
      return created;
    }

    private ApiException unversioned() {
      var resource = served.resource();
      var errors = new io.berth.api.FieldErrors();
      errors.invalid(
          io.berth.api.FieldPath.of("metadata", "resourceVersion"),
          0L,
          "must be specified for an update");
      return errors.toException(
          resource.group(), resource.plural(), object.textOrEmpty("metadata", "name"));
    }
  }
}
