package io.berth.server.registry;

import io.berth.admission.AdmissionChain;
import io.berth.admission.Attributes;
import io.berth.admission.Lookup;
import io.berth.admission.User;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.server.access.Authorizer;
import io.berth.server.access.Escalation;
import io.berth.server.access.Objects;
import io.berth.server.access.ParamAccess;
import io.berth.server.request.Action;
import io.berth.store.Entry;
import io.berth.store.Index;
import io.berth.store.Key;
import io.berth.store.Range;
import io.berth.store.Store;
import io.berth.store.Transaction;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// What all writes share: the store, admission, who may do what, and who hears of writes.
final class Storage implements Objects {

  /// Written without waiting for the disk: their loss in a crash goes unnoticed.
  private static final Set<String> RELAXED = Set.of("/events", "coordination.k8s.io/leases");

  private final Store store;
  private final Catalog catalog;
  private final AdmissionChain admission;
  private final Authorizer authorizer;
  private final Escalation escalation;
  private final ParamAccess params;
  private final ManagedFields fields;
  private final Companions companions;
  private final List<Consumer<Resource>> observers = new CopyOnWriteArrayList<>();

  Storage(
      Store store,
      Catalog catalog,
      AdmissionChain admission,
      Authorizer authorizer,
      InstantSource clock) {
    this.store = store;
    this.catalog = catalog;
    this.admission = admission;
    this.authorizer = authorizer;
    this.escalation = new Escalation(authorizer, this);
    this.params =
        new ParamAccess(authorizer, this, (version, kind) -> lookup().resource(version, kind));
    this.fields = new ManagedFields(clock);
    this.companions = new Companions();
    observe(admission::changed);
  }

  Store store() {
    return store;
  }

  Catalog catalog() {
    return catalog;
  }

  AdmissionChain admission() {
    return admission;
  }

  /// The mutating phase of a write, before anything is known to be valid.
  void mutate(Attributes attributes, Context context) {
    try {
      admission.mutate(attributes, lookup());
    } finally {
      context.hear(attributes);
    }
  }

  /// Policies and webhooks on a valid write, before its transaction.
  void review(Attributes attributes, Context context) {
    try {
      admission.review(attributes, lookup());
    } finally {
      context.hear(attributes);
    }
  }

  Authorizer authorizer() {
    return authorizer;
  }

  /// Refuses a change that makes an object to those who may change objects, but not make them.
  void checkMayCreate(Resource resource, String namespace, String name, User user) {
    authorizer.check(
        new Authorizer.Request(
            user,
            Action.CREATE.verb(),
            resource.group(),
            resource.version(),
            resource.plural(),
            "",
            namespace,
            name,
            ""));
  }

  /// Refuses a write by which somebody would come to more than they may.
  void checkRights(Resource resource, Tree object, @Nullable Tree old, User user) {
    escalation.check(resource, object, old, user);
    params.check(resource, object, old, user);
  }

  ManagedFields fields() {
    return fields;
  }

  Companions companions() {
    return companions;
  }

  <T extends @Nullable Object> T transact(Resource resource, Function<Transaction, T> work) {
    return RELAXED.contains(resource.group() + "/" + resource.plural())
        ? store.transactRelaxed(work)
        : store.transact(work);
  }

  /// Hears of every write, before the writer gets its answer.
  void observe(Consumer<Resource> observer) {
    observers.add(observer);
  }

  void written(Resource resource) {
    for (var observer : observers) {
      observer.accept(resource);
    }
  }

  @Override
  public @Nullable Tree find(Resource resource, String namespace, String name) {
    return store.find(key(resource, namespace, name)).map(Entry::object).orElse(null);
  }

  @Override
  public List<Tree> list(Resource resource, String namespace) {
    return objects(store.list(range(resource, namespace)).entries());
  }

  @Override
  public List<Tree> podsOn(String node) {
    return objects(store.listBy(Index.PODS_BY_NODE, node));
  }

  Lookup lookup() {
    return new StoreLookup(this, null);
  }

  Lookup lookup(Transaction transaction) {
    return new StoreLookup(this, transaction);
  }

  Key key(Resource resource, String namespace, String name) {
    return new Key(storageGroup(resource), resource.plural(), namespace, name);
  }

  Range range(Resource resource, String namespace) {
    return new Range(storageGroup(resource), resource.plural(), namespace);
  }

  private String storageGroup(Resource resource) {
    return catalog
        .find(resource.group(), resource.version(), resource.plural())
        .map(served -> served.storage().group())
        .orElse(resource.group());
  }

  static List<Tree> objects(List<Entry> entries) {
    var objects = new ArrayList<Tree>(entries.size());
    for (var entry : entries) {
      objects.add(entry.object());
    }
    return objects;
  }
}
