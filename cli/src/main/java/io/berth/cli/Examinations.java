package io.berth.cli;

import java.nio.file.Path;
import java.util.List;

/// What `berth doctor` needs: a look at a data folder that changes nothing.
public interface Examinations {

  /// Looks through the folder, also while a cluster runs in it.
  Result examine(Path folder);

  /// What was found. Revisions are 0 when there is none.
  interface Result {

    List<Row> rows();

    boolean isWhole();

    /// The process that runs in the folder; empty when there is none.
    String user();

    /// The last revision that was noted as written.
    long notedRevision();

    /// The newest revision as of which every object is there.
    long goodRevision();

    /// The objects as of that revision.
    int objects();

    /// Makes a new folder of them.
    Snapshots.Restored restoreTo(Path target);
  }

  /// What is known about one file: `whole`, `told` or `damaged`, and in which way.
  record Row(String file, String state, String words) {}
}
