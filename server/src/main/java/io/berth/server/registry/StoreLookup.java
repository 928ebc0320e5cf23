package io.berth.server.registry;

import io.berth.admission.Lookup;
import io.berth.admission.User;
import io.berth.api.ApiException;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.schema.apply.Structure;
import io.berth.schema.cel.Access.Decision;
import io.berth.schema.cel.Access.Question;
import io.berth.server.access.Authorizer.Request;
import io.berth.server.request.FieldSelector;
import io.berth.store.Entry;
import io.berth.store.Transaction;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// How admission sees the store: its newest state, or that of a transaction.
final class StoreLookup implements Lookup {

  private final Storage storage;
  private final @Nullable Transaction transaction;

  StoreLookup(Storage storage, @Nullable Transaction transaction) {
    this.storage = storage;
    this.transaction = transaction;
  }

  @Override
  public @Nullable Tree find(Resource resource, String namespace, String name) {
    var key = storage.key(resource, namespace, name);
    var found = transaction == null ? storage.store().find(key) : transaction.find(key);
    return found.map(Entry::object).orElse(null);
  }

  @Override
  public List<Tree> list(Resource resource, String namespace) {
    var range = storage.range(resource, namespace);
    return Storage.objects(
        transaction == null ? storage.store().list(range).entries() : transaction.list(range));
  }

  @Override
  public boolean allowed(User user, Access access) {
    var request =
        new Request(
            user,
            access.verb(),
            access.group(),
            "*",
            access.resource(),
            access.subresource(),
            access.namespace(),
            access.name(),
            "");
    return storage.authorizer().decide(request).allowed();
  }

  @Override
  public Decision decide(User user, Question question) {
    var decision = storage.authorizer().decide(request(asked(user, question), question));
    return new Decision(decision.allowed(), decision.reason(), "");
  }

  private static Request request(User user, Question question) {
    if (!question.path().isEmpty()) {
      return Request.ofPath(user, question.verb(), question.path());
    }
    return new Request(
        true,
        user,
        question.verb(),
        question.group(),
        "*",
        question.resource(),
        question.subresource(),
        question.namespace(),
        question.name(),
        "",
        selector(question.fieldSelector()));
  }

  /// As in Kubernetes, a selector that makes no sense restricts nothing.
  private static FieldSelector selector(String text) {
    try {
      return text.isEmpty() ? FieldSelector.ALL : FieldSelector.parse(text);
    } catch (ApiException e) {
      return FieldSelector.ALL;
    }
  }

  private static User asked(User user, Question question) {
    if (question.serviceAccountName().isEmpty()) {
      return user;
    }
    var namespace = question.serviceAccountNamespace();
    return new User(
        "system:serviceaccount:%s:%s".formatted(namespace, question.serviceAccountName()),
        "",
        List.of("system:serviceaccounts", "system:serviceaccounts:" + namespace),
        Map.of());
  }

  @Override
  public List<Resource> versions(Resource resource) {
    return storage.catalog().versions(resource);
  }

  @Override
  public @Nullable Resource resource(String apiVersion, String kind) {
    return storage.catalog().findKind(apiVersion, kind).map(Served::resource).orElse(null);
  }

  @Override
  public Tree shown(Resource version, Tree stored) {
    return storage.catalog().of(version).present(stored);
  }

  @Override
  public Tree stored(Resource version, Tree shown) {
    var served = storage.catalog().of(version);
    var object = served.store(storage.fields().decoded(served, shown));
    served.kind().strategy().setDefaults(object);
    return object;
  }

  @Override
  public Structure structure(Resource version) {
    return ManagedFields.structure(storage.catalog().of(version));
  }

  @Override
  public void replace(Resource resource, Tree object) {
    if (transaction == null) {
      throw new IllegalStateException("only the validating phase may replace objects");
    }
    var meta = object.treeOrEmpty("metadata");
    transaction.put(
        storage.key(resource, meta.textOrEmpty("namespace"), meta.textOrEmpty("name")), object);
  }
}
