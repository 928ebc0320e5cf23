package io.berth.store;

import java.util.List;

/// Entries in key order, as they were at `revision`.
public record Listing(long revision, List<Entry> entries) {}
