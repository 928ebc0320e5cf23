package io.berth.store;

import java.util.List;

/// Entries in key order, as they were at `revision`; `remaining` more follow in the range.
public record Listing(long revision, List<Entry> entries, int remaining) {}
