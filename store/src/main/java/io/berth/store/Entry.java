package io.berth.store;

import io.berth.api.Tree;

/// One object at one revision.
///
/// `object` is frozen and carries `metadata.resourceVersion` = `revision`; `bytes` is its JSON,
/// encoded once and shared by disk, lists and watches. Nobody may write to it.
public record Entry(Key key, long revision, Tree object, byte[] bytes) {}
