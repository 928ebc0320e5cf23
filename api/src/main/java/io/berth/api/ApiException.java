package io.berth.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// A request that cannot be served, with what Kubernetes would answer: code, reason, message,
/// details. The server turns it into a `Status`; a client of a real cluster throws it for one.
public final class ApiException extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final int code;
  private final String reason;
  private final transient @Nullable Tree details;
  private final @Nullable String continueToken;

  /// `reason` is Kubernetes' (`NotFound`, `Conflict`, …), or `""` where Kubernetes gives none.
  public ApiException(int code, String reason, String message, @Nullable Tree details) {
    this(code, reason, message, details, null);
  }

  private ApiException(
      int code,
      String reason,
      String message,
      @Nullable Tree details,
      @Nullable String continueToken) {
    super(message);
    this.code = code;
    this.reason = reason;
    this.details = details;
    this.continueToken = continueToken;
  }

  public ApiException(int code, String reason, String message) {
    this(code, reason, message, null);
  }

  /// The same refusal with a token that lets a list go on in spite of it.
  public ApiException withContinue(String token) {
    return new ApiException(code, reason, String.valueOf(getMessage()), details, token);
  }

  public static ApiException badRequest(String message) {
    return new ApiException(400, "BadRequest", message);
  }

  public static ApiException notFound(Resource resource, String name) {
    return new ApiException(
        404,
        "NotFound",
        "%s %s not found".formatted(resource.qualified(), FieldError.quoted(name)),
        details(resource, name, resource.plural()));
  }

  public static ApiException alreadyExists(Resource resource, String name) {
    return new ApiException(
        409,
        "AlreadyExists",
        "%s %s already exists".formatted(resource.qualified(), FieldError.quoted(name)),
        details(resource, name, resource.plural()));
  }

  public static ApiException conflict(Resource resource, String name, String why) {
    return new ApiException(
        409,
        "Conflict",
        "Operation cannot be fulfilled on %s %s: %s"
            .formatted(resource.qualified(), FieldError.quoted(name), why),
        details(resource, name, resource.plural()));
  }

  public static ApiException forbidden(Resource resource, String name, String why) {
    return new ApiException(
        403,
        "Forbidden",
        "%s %s is forbidden: %s".formatted(resource.qualified(), FieldError.quoted(name), why),
        details(resource, name, resource.plural()));
  }

  /// `kind` is the Kind for Invalid and the plural for everything else, as in Kubernetes.
  public static Tree details(Resource resource, String name, String kind) {
    var details = new Tree();
    if (!name.isEmpty()) {
      details.put("name", name);
    }
    if (!resource.group().isEmpty()) {
      details.put("group", resource.group());
    }
    return details.put("kind", kind);
  }

  public int code() {
    return code;
  }

  public String reason() {
    return reason;
  }

  public @Nullable Tree details() {
    return details;
  }

  public boolean is(String wanted) {
    return reason.equals(wanted);
  }

  /// The `Status` object of this refusal.
  public Tree status() {
    var status =
        Tree.of("kind", "Status", "apiVersion", "v1", "metadata", new Tree(), "status", "Failure");
    if (continueToken != null) {
      status.child("metadata").put("continue", continueToken);
    }
    status.put("message", getMessage());
    if (!reason.isEmpty()) {
      status.put("reason", reason);
    }
    if (details != null) {
      status.put("details", details.copy());
    }
    return status.put("code", code);
  }

  /// The refusal that a `Status` object describes.
  public static ApiException ofStatus(Tree status) {
    return new ApiException(
        (int) status.number(500, "code"),
        status.textOrEmpty("reason"),
        status.textOrEmpty("message"),
        status.tree("details"));
  }

  /// A `details` tree with causes, each with reason, message and field.
  public static Tree withCauses(Tree details, List<Tree> causes) {
    return details.put("causes", List.copyOf(causes));
  }
}
