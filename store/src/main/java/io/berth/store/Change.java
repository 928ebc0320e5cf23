package io.berth.store;

import org.jspecify.annotations.Nullable;

/// One step of history, as watchers see it.
///
/// For [Type#DELETED], `entry` is the last state, re-encoded with the revision of the deletion.
/// `previous` is the state before, absent for [Type#ADDED]: a watcher with a selector needs it to
/// tell entering and leaving from staying.
public record Change(Type type, Entry entry, @Nullable Entry previous) {

  public enum Type {
    ADDED,
    MODIFIED,
    DELETED
  }

  public long revision() {
    return entry.revision();
  }
}
