package io.berth.cli;

import java.nio.file.Path;

/// What `berth snapshot` needs: whole clusters to files, and back.
public interface Snapshots {

  /// Writes everything of the running cluster behind a kubeconfig into a file.
  Saved save(Path kubeconfig, Path file);

  /// Writes everything of a data folder that nothing runs in into a file.
  Saved saveStopped(Path folder, Path file);

  /// Makes a data folder of a file. The folder must hold no cluster yet.
  Restored restore(Path file, Path folder);

  /// What a file holds, and as of when.
  record Saved(long objects, long revision) {}

  /// What was restored; the cluster goes on behind `revision`.
  record Restored(long objects, long revision) {}
}
