package io.berth.server;

import io.berth.admission.User;
import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.server.http.Call;
import io.berth.server.identity.Authenticator;
import io.berth.server.request.RequestInfo;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The audit log: one line of JSON per answered request, in the form of `audit.k8s.io/v1` events at
/// level Metadata. Bodies are never written, so no secret is either, and what callers make up is
/// cut.
///
/// Requests without credentials, or with wrong ones, go to [StrangersFile].
public final class Audit implements AutoCloseable {

  /// Logs nothing: for throw-away clusters.
  public static final Audit NONE = new Audit(null);

  private static final int MAX_PATH = 1024;
  private static final int MAX_TEXT = 256;
  private static final int MAX_ID = 64;
  private static final int MAX_ENTRIES = 64;

  private final @Nullable Files files;

  private Audit(@Nullable Files files) {
    this.files = files;
  }

  private record Files(AuditFile known, StrangersFile strangers) {}

  public static Audit in(Path file) throws IOException {
    return new Audit(
        new Files(
            AuditFile.in(file, Limits.AUDIT_BYTES),
            StrangersFile.beside(file, InstantSource.system())));
  }

  /// `user` is who sent the request, not whom it acts as; `null` when that did not come out.
  void write(Call call, @Nullable User user, RequestInfo info, String id, int code, Instant begin) {
    if (files == null) {
      return;
    }
    if (user == null || !user.isIn(Authenticator.AUTHENTICATED)) {
      files.strangers.append(() -> event(call, user, info, id, code, begin));
    } else {
      files.known.append(Json.write(event(call, user, info, id, code, begin)));
    }
  }

  private static Tree event(
      Call call, @Nullable User user, RequestInfo info, String id, int code, Instant begin) {
    var event =
        Tree.of(
            "kind", "Event",
            "apiVersion", "audit.k8s.io/v1",
            "level", "Metadata",
            "auditID", cut(id, MAX_ID),
            "stage", "ResponseComplete",
            "requestURI", cut(call.path(), MAX_PATH),
            "verb", cut(info.verb(), MAX_TEXT));
    if (user != null) {
      event.put("user", person(user));
    }
    var impersonated = call.header("impersonate-user");
    if (!impersonated.isEmpty()) {
      event.put("impersonatedUser", Tree.of("username", cut(impersonated, MAX_TEXT)));
    }
    event.put("sourceIPs", new ArrayList<@Nullable Object>(List.of(call.remoteAddress())));
    event.put("userAgent", cut(call.header("user-agent"), MAX_TEXT));
    if (info.isResource()) {
      event.put("objectRef", reference(info));
    }
    event
        .put("responseStatus", Tree.of("code", code))
        .put("requestReceivedTimestamp", begin.toString())
        .put("stageTimestamp", Instant.now().toString());
    return call.auditAnnotations().isEmpty()
        ? event
        : event.put("annotations", annotations(call.auditAnnotations()));
  }

  private static Tree person(User user) {
    var groups = user.groups().stream().limit(MAX_ENTRIES).map(each -> cut(each, MAX_TEXT));
    return Tree.of("username", cut(user.name(), MAX_TEXT), "groups", groups.toList());
  }

  private static Tree annotations(Map<String, String> given) {
    var annotations = new Tree();
    new TreeMap<>(given)
        .entrySet().stream()
            .limit(MAX_ENTRIES)
            .forEach(each ->
                annotations.put(cut(each.getKey(), MAX_TEXT), cut(each.getValue(), MAX_PATH)));
    return annotations;
  }

  private static Tree reference(RequestInfo info) {
    var reference = new Tree();
    put(reference, "resource", info.resource());
    put(reference, "apiVersion", info.version());
    put(reference, "apiGroup", info.group());
    put(reference, "namespace", info.namespace());
    put(reference, "name", info.name());
    put(reference, "subresource", info.subresource());
    return reference;
  }

  private static void put(Tree reference, String field, String value) {
    if (!value.isEmpty()) {
      reference.put(field, cut(value, MAX_TEXT));
    }
  }

  private static String cut(String text, int most) {
    return text.length() <= most ? text : text.substring(0, most - 1) + "…";
  }

  @Override
  public void close() throws IOException {
    if (files != null) {
      files.known.close();
      files.strangers.close();
    }
  }
}
