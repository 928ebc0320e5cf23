package io.berth.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/// Files and folders that only their owner may read: they hold Secrets.
final class PrivateFiles {

  private PrivateFiles() {}

  /// Makes a new, empty file, in place of any that is there.
  static void create(Path file) throws IOException {
    Files.deleteIfExists(file);
    if (isPosix(file)) {
      Files.createFile(
          file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    } else {
      Files.createFile(file);
    }
  }

  /// Makes a folder when there is none; one that is there keeps its mode.
  static void createFolder(Path folder) throws IOException {
    if (isPosix(folder)) {
      Files.createDirectories(
          folder,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    } else {
      Files.createDirectories(folder);
    }
  }

  /// Shuts a folder for all but its owner.
  static void close(Path folder) throws IOException {
    if (isPosix(folder)) {
      Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
    }
  }

  static boolean isEmpty(Path folder) throws IOException {
    try (var files = Files.list(folder)) {
      return files.findAny().isEmpty();
    }
  }

  private static boolean isPosix(Path path) {
    return path.getFileSystem().supportedFileAttributeViews().contains("posix");
  }
}
