package io.berth.server.registry;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.store.Entry;
import io.berth.store.Key;
import io.berth.store.Transaction;

/// Objects that come into being together with another, in the same transaction.
///
/// A namespace brings its ServiceAccount `default`, so that no pod is refused because a controller
/// has not made it yet.
final class Companions {

  void created(Resource resource, Entry stored, Transaction transaction, Context context) {
    if (!resource.equals(Resource.NAMESPACES)) {
      return;
    }
    var namespace = stored.key().name();
    var key = new Key("", Resource.SERVICE_ACCOUNTS.plural(), namespace, "default");
    if (transaction.find(key).isEmpty()) {
      var account = Tree.of("kind", "ServiceAccount", "apiVersion", "v1");
      account.child("metadata").put("name", "default").put("namespace", namespace);
      Metadata.initialize(account, context.now());
      transaction.put(key, account);
    }
  }
}
