package io.berth.server.registry;

import io.berth.admission.AdmissionChain;
import io.berth.api.ApiException;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.server.access.Authorizer;
import io.berth.store.Entry;
import io.berth.store.Range;
import io.berth.store.Store;
import java.util.function.Consumer;
import java.util.function.Predicate;
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

  public Registry(Store store, Catalog catalog, AdmissionChain admission, Authorizer authorizer) {
    this.storage = new Storage(store, catalog, admission, authorizer);
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
    var meta = object.child("metadata");
    Metadata.placeIn(namespace, served.resource(), object);
    var own = meta.textOrEmpty("name");
    if (own.isEmpty()) {
      meta.put("name", name);
    } else if (!own.equals(name)) {
      throw ApiException.badRequest(
          "the name of the object (%s) does not match the name on the URL (%s)"
              .formatted(own, name));
    }
    return writes.update(served, subresource, namespace, name, new Put(served, object), context);
  }

  public Outcome delete(
      Served served, String namespace, String name, DeleteOptions options, Context context) {
    return deletion.delete(served, namespace, name, options, context);
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
      var strategy = served.kind().strategy();
      if (current == null && !strategy.allowCreateOnUpdate()) {
        return null;
      }
      var given = object.textOrEmpty("metadata", "resourceVersion");
      if (current != null && given.isEmpty() && !strategy.allowUnconditionalUpdate()) {
        throw unversioned();
      }
      return object.copy();
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
