package io.berth.app;

import io.berth.api.Tree;
import io.berth.cli.UserError;
import io.berth.codec.Json;
import io.berth.codec.SyntaxException;
import io.berth.server.identity.Authority;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import org.jspecify.annotations.Nullable;

/// The folder of one cluster: locked by the process that runs it, with a note on how to reach it.
///
/// The operating system drops the lock when the process ends, however it ends.
final class RunFolder implements AutoCloseable {

  private static final String LOCK = "lock";
  private static final String RUN = "run.json";

  private final Path folder;
  private final FileChannel lock;

  private RunFolder(Path folder, FileChannel lock) {
    this.folder = folder;
    this.lock = lock;
  }

  static RunFolder lock(Path folder) throws IOException {
    return lock(
        folder, "stop that cluster with 'berth down', or choose another folder with --data");
  }

  /// Takes the folder, or says who has it; `remedy` is what to do then.
  static RunFolder lock(Path folder, String remedy) throws IOException {
    var channel = open(folder);
    if (channel.tryLock() == null) {
      channel.close();
      var other = read(folder);
      throw new UserError(
          "the folder %s is in use%s; %s"
              .formatted(
                  folder, other == null ? "" : " by process " + other.number(0, "pid"), remedy));
    }
    Files.deleteIfExists(folder.resolve(RUN));
    return new RunFolder(folder, channel);
  }

  private static FileChannel open(Path folder) throws IOException {
    try {
      Files.createDirectories(
          folder,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      return FileChannel.open(
          folder.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    } catch (FileSystemException e) {
      throw new UserError(
          "the folder %s cannot be used: %s; choose another one with --data"
              .formatted(folder, reason(e)));
    }
  }

  private static String reason(FileSystemException e) {
    return switch (e) {
      case FileAlreadyExistsException _ -> e.getFile() + " is no folder";
      case AccessDeniedException _ -> "permission to write to %s is denied".formatted(e.getFile());
      case NoSuchFileException _ -> e.getFile() + " cannot be made";
      default -> String.valueOf(e.getMessage());
    };
  }

  void publish(Tree facts) throws IOException {
    Authority.writePrivate(folder.resolve(RUN), Json.pretty(facts) + "\n");
  }

  /// What runs in the folder now, or `null`.
  static @Nullable Tree find(Path folder) {
    var file = folder.resolve(LOCK);
    if (!Files.exists(file)) {
      return null;
    }
    try (var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      var free = channel.tryLock();
      if (free != null) {
        free.release();
        return null;
      }
      return read(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static @Nullable Tree read(Path folder) {
    try {
      return Json.read(Files.readAllBytes(folder.resolve(RUN)));
    } catch (IOException | SyntaxException e) {
      return null;
    }
  }

  @Override
  public void close() throws IOException {
    Files.deleteIfExists(folder.resolve(RUN));
    lock.close();
  }
}
