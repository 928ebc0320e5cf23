package io.berth.api;

import org.jspecify.annotations.Nullable;

/// A Service, ReplicationController, ReplicaSet or StatefulSet, as far as default spreading reads
/// it: which pods it selects. `kind` is Kubernetes'.
public record SelectorOwner(
    String kind, String namespace, String name, @Nullable LabelSelector selector)
    implements Surrounding {}
