package io.berth.kinds.custom;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Strategy;
import io.berth.schema.crd.CustomResource;

/// One version of a custom kind: how its objects are read and what rules they follow.
///
/// `deprecation` is the warning that every request gets, or `""`. `schema` is the version's
/// `openAPIV3Schema`. Of a `terminating` kind nothing new is made.
public record CustomVersion(
    Resource resource,
    String listKind,
    CustomResource objects,
    Strategy strategy,
    Tree schema,
    String deprecation,
    boolean served,
    boolean terminating) {}
