package io.berth.server.registry;

import io.berth.store.Entry;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A part of a list; `remaining` is below zero when it is not told.
public record Page(
    long revision, List<Entry> entries, @Nullable String continueToken, long remaining) {}
