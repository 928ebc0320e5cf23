package io.berth.store;

/// What a restore did: the snapshot was taken at `snapshotRevision`, and the store continues behind
/// `revision`, far enough not to repeat what clients may have seen.
public record RestoreReport(int objects, long snapshotRevision, long revision) {}
