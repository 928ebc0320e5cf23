package io.berth.kinds.custom;

import io.berth.api.Tree;
import io.berth.kinds.Conversion;

/// Conversion strategy `None`: versions differ in their name and in the fields they keep.
public record NoneConversion(CustomVersion storage, CustomVersion served) implements Conversion {

  /// What only the served version has is still there: rules are checked on all of it.
  @Override
  public Tree toStorage(Tree object) {
    var stored = object.isFrozen() ? object.copy() : object;
    return stored.put("apiVersion", storage.resource().apiVersion());
  }

  @Override
  public Tree fromStorage(Tree stored) {
    var current = storage.objects().stored(stored);
    return served.resource().equals(storage.resource()) ? current : served.objects().shown(current);
  }

  /// Without what the stored version does not have.
  @Override
  public Tree settled(Tree judged) {
    return storage.objects().settled(judged);
  }
}
