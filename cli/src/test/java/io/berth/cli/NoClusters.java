package io.berth.cli;

import io.berth.api.Tree;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// A machine on which no cluster runs, for commands that look for one and start none.
final class NoClusters implements LocalCluster {

  @Override
  public Running start(Options options) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Tree startDetached(Options options) {
    throw new UnsupportedOperationException();
  }

  @Override
  public @Nullable Tree find(Path folder) {
    return null;
  }

  @Override
  public boolean stop(Path folder) {
    return false;
  }

  @Override
  public Path defaultFolder(boolean inMemory) {
    return Path.of("/nowhere");
  }
}
