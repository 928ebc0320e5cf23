package io.berth.workloads;

import io.berth.api.Tree;

/// Where audited requests go, at once; called by many threads.
public interface AuditSink {

  /// Keeps nothing.
  AuditSink NONE =
      new AuditSink() {
        @Override
        public void known(Tree entry) {}

        @Override
        public void stranger(Tree entry) {}
      };

  /// What somebody did, or was refused, whose name is known.
  void known(Tree entry);

  /// What was refused to somebody who did not show who they are.
  void stranger(Tree entry);
}
