package io.berth.server;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Lines in a file that only its owner reads. A full file is kept as `.1`, in place of an older
/// one.
///
/// Safe for any number of threads. Lines are not forced to the disk one by one.
public final class AuditFile implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(AuditFile.class);

  private final Path file;
  private final long maxBytes;
  // Guarded by this.
  private @Nullable OutputStream out;
  private long written;
  private long missing;

  private AuditFile(Path file, long maxBytes) {
    this.file = file;
    this.maxBytes = maxBytes;
  }

  /// The file of this name, made if it is not there; about `maxBytes` long at most.
  public static AuditFile in(Path file, long maxBytes) throws IOException {
    create(file);
    return new AuditFile(file, maxBytes);
  }

  private static void create(Path file) throws IOException {
    if (!Files.exists(file)) {
      Files.createFile(
          file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    }
  }

  /// Adds a line. A disk that takes none, being full, keeps nobody from an answer; what is missing
  /// is told as soon as there is room.
  public synchronized void append(byte[] json) {
    var line = Arrays.copyOf(json, json.length + 1);
    line[json.length] = '\n';
    try {
      var open = open();
      open.write(line);
      written += line.length;
      if (missing > 0) {
        LOG.warn("the audit log {} goes on; {} requests are not in it", file, missing);
        missing = 0;
      }
    } catch (IOException e) {
      if (missing == 0) {
        LOG.error("cannot write the audit log {}: {}", file, e.getMessage());
      }
      missing++;
      reopen();
    }
  }

  private void reopen() {
    try {
      close();
    } catch (IOException e) {
      // Nothing was buffered that could be lost.
    }
  }

  private OutputStream open() throws IOException {
    if (out != null && written > maxBytes) {
      out.close();
      out = null;
      Files.move(file, older(file), StandardCopyOption.REPLACE_EXISTING);
    }
    if (out == null) {
      create(file);
      boolean whole = endsLine();
      out = Files.newOutputStream(file, StandardOpenOption.APPEND);
      written = Files.size(file);
      if (!whole) {
        out.write('\n');
      }
    }
    return out;
  }

  /// A crash may have cut the last line short.
  private boolean endsLine() throws IOException {
    try (var channel = Files.newByteChannel(file)) {
      if (channel.size() == 0) {
        return true;
      }
      var last = ByteBuffer.allocate(1);
      channel.position(channel.size() - 1).read(last);
      return last.get(0) == '\n';
    }
  }

  /// Where a full file goes.
  public static Path older(Path file) {
    return file.resolveSibling(file.getFileName() + ".1");
  }

  @Override
  public synchronized void close() throws IOException {
    if (out != null) {
      out.close();
      out = null;
    }
  }
}
