package io.berth.server.registry;

import io.berth.schema.FieldValidation;

/// Options of creations, updates and patches. `manager` owns the fields that are written.
public record WriteOptions(
    boolean dryRun, String manager, FieldValidation fieldValidation, boolean force) {

  /// What callers in this process use: their objects are made by code that knows the fields.
  public static WriteOptions by(String manager) {
    return new WriteOptions(false, manager, FieldValidation.IGNORE, false);
  }
}
