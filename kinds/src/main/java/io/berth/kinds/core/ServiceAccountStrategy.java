package io.berth.kinds.core;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.Write;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.ObjectMeta;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Service accounts.
///
/// Mirrors: registry/core/serviceaccount.strategy, core/validation.ValidateServiceAccount
public final class ServiceAccountStrategy extends PlainStrategy {

  public ServiceAccountStrategy() {
    super(Resource.SERVICE_ACCOUNTS);
  }

  @Override
  public void prepareForCreate(Tree account, Write write) {
    keepOnlyNames(account);
  }

  @Override
  public void prepareForUpdate(Tree account, Tree old, Write write) {
    keepOnlyNames(account);
  }

  private static void keepOnlyNames(Tree account) {
    if (!account.list("secrets").isEmpty()) {
      account.put(
          "secrets",
          account.trees("secrets").stream()
              .map(each -> each.has("name") ? Tree.of("name", each.get("name")) : new Tree())
              .toList());
    }
  }

  @Override
  public void validateUpdate(Cursor account, Tree old) {
    ObjectMeta.validateUpdate(account, old);
    validateCreate(account);
  }

  @Override
  public List<@Nullable Object> cells(Tree account, Instant now) {
    return Cells.row(Cells.name(account), Cells.age(account, now));
  }
}
