package io.berth.api;

/// What pods are placed among: every [ClusterObject] that is not a pod.
public sealed interface Surrounding extends ClusterObject
    permits CsiDriver,
        CsiNode,
        CsiStorageCapacity,
        Namespace,
        Node,
        PersistentVolume,
        PersistentVolumeClaim,
        PodDisruptionBudget,
        PodGroup,
        SelectorOwner,
        StorageClass,
        VolumeAttachment {}
