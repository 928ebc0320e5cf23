package io.berth.server;

import io.berth.admission.User;
import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.server.http.Call;
import io.berth.server.request.RequestInfo;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The audit log: one line of JSON per answered request, in the form of `audit.k8s.io/v1` events at
/// level Metadata. Bodies are never written, so no secret is either.
///
/// Lines go to a file of the data folder, readable by its owner. A full file is kept as `.1`.
public final class Audit implements AutoCloseable {

  /// Logs nothing: for throw-away clusters.
  public static final Audit NONE = new Audit(null);

  private static final Logger LOG = LoggerFactory.getLogger(Audit.class);
  private static final long MAX_BYTES = 100L << 20;

  private final @Nullable Path file;
  private @Nullable OutputStream out;
  private long written;
  private long missing;

  private Audit(@Nullable Path file) {
    this.file = file;
  }

  public static Audit in(Path file) throws IOException {
    create(file);
    return new Audit(file);
  }

  private static void create(Path file) throws IOException {
    if (!Files.exists(file)) {
      Files.createFile(
          file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    }
  }

  void write(Call call, @Nullable User user, RequestInfo info, String id, int code, Instant begin) {
    if (file != null) {
      append(line(Json.write(event(call, user, info, id, code, begin))));
    }
  }

  private static byte[] line(byte[] json) {
    var line = Arrays.copyOf(json, json.length + 1);
    line[json.length] = '\n';
    return line;
  }

  private static Tree event(
      Call call, @Nullable User user, RequestInfo info, String id, int code, Instant begin) {
    var event =
        Tree.of(
            "kind", "Event",
            "apiVersion", "audit.k8s.io/v1",
            "level", "Metadata",
            "auditID", id,
            "stage", "ResponseComplete",
            "requestURI", call.path(),
            "verb", info.verb());
    if (user != null) {
      event.put("user", Tree.of("username", user.name(), "groups", user.groups()));
    }
    var impersonated = call.header("impersonate-user");
    if (!impersonated.isEmpty()) {
      event.put("impersonatedUser", Tree.of("username", impersonated));
    }
    event.put("sourceIPs", new ArrayList<@Nullable Object>(List.of(call.remoteAddress())));
    event.put("userAgent", call.header("user-agent"));
    if (info.isResource()) {
      event.put("objectRef", reference(info));
    }
    event
        .put("responseStatus", Tree.of("code", code))
        .put("requestReceivedTimestamp", begin.toString())
        .put("stageTimestamp", Instant.now().toString());
    return call.auditAnnotations().isEmpty()
        ? event
        : event.put("annotations", Tree.ofMap(new TreeMap<>(call.auditAnnotations())));
  }

  private static Tree reference(RequestInfo info) {
    var reference = Tree.of("resource", info.resource(), "apiVersion", info.version());
    put(reference, "apiGroup", info.group());
    put(reference, "namespace", info.namespace());
    put(reference, "name", info.name());
    put(reference, "subresource", info.subresource());
    return reference;
  }

  private static void put(Tree reference, String field, String value) {
    if (!value.isEmpty()) {
      reference.put(field, value);
    }
  }

  /// A log that cannot be written, on a full disk, does not keep the server from answering; what is
  /// missing is told as soon as there is room.
  private synchronized void append(byte[] line) {
    try {
      var open = open();
      if (missing > 0) {
        // The last line may have been cut short.
        open.write('\n');
      }
      open.write(line);
      written += line.length;
      if (missing > 0) {
        LOG.warn("the audit log goes on; {} requests are not in it", missing);
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
    var path = java.util.Objects.requireNonNull(file);
    if (out != null && written > MAX_BYTES) {
      out.close();
      out = null;
      Files.move(
          path,
          path.resolveSibling(path.getFileName() + ".1"),
          StandardCopyOption.REPLACE_EXISTING);
    }
    if (out == null) {
      create(path);
      out = Files.newOutputStream(path, StandardOpenOption.APPEND);
      written = Files.size(path);
    }
    return out;
  }

  @Override
  public synchronized void close() throws IOException {
    if (out != null) {
      out.close();
      out = null;
    }
  }
}
