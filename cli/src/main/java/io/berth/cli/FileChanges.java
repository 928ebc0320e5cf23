package io.berth.cli;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchEvent;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/// Does something now, and again after files in some folders have changed.
final class FileChanges {

  private static final int MOST_FOLDERS = 1000;

  /// Editors write a file in several steps.
  private static final long QUIET_MILLIS = 100;

  private final List<Path> paths;

  FileChanges(List<Path> paths) {
    this.paths = List.copyOf(paths);
  }

  /// Until the process is stopped.
  void eachTime(Callable<?> work) throws Exception {
    try (var watcher = FileSystems.getDefault().newWatchService()) {
      for (var folder : folders()) {
        folder.register(
            watcher,
            new WatchEvent.Kind<?>[] {
              StandardWatchEventKinds.ENTRY_CREATE,
              StandardWatchEventKinds.ENTRY_MODIFY,
              StandardWatchEventKinds.ENTRY_DELETE
            });
      }
      while (!Thread.currentThread().isInterrupted()) {
        work.call();
        for (var key = watcher.take();
            key != null;
            key = watcher.poll(QUIET_MILLIS, TimeUnit.MILLISECONDS)) {
          key.pollEvents();
          key.reset();
        }
      }
    }
  }

  private List<Path> folders() throws IOException {
    var folders = new TreeSet<Path>();
    for (var path : paths) {
      var folder = Files.isDirectory(path) ? path : path.toAbsolutePath().getParent();
      if (folder != null) {
        try (var below = Files.walk(folder)) {
          below.filter(Files::isDirectory).limit(MOST_FOLDERS).forEach(folders::add);
        }
      }
    }
    return List.copyOf(folders);
  }
}
