package io.berth.workloads.http;

import io.berth.api.Tree;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// A request that is not served, with the answer it gets: the error envelope of the API.
public final class Refusal extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final int code;
  private final transient @Nullable Tree more;
  private transient String allow = "";

  /// `more` are fields beside `code` and `message`.
  public Refusal(int code, String message, @Nullable Tree more) {
    super(message);
    this.code = code;
    this.more = more;
  }

  public Refusal(int code, String message) {
    this(code, message, null);
  }

  /// The path is served, with other methods.
  public static Refusal methodNotAllowed(String method, Set<String> allowed) {
    var allow = String.join(", ", new TreeSet<>(allowed));
    var refusal =
        new Refusal(405, "%s is not allowed here; allowed are %s.".formatted(method, allow));
    refusal.allow = allow;
    return refusal;
  }

  public static Refusal badRequest(String message) {
    return new Refusal(400, message);
  }

  public static Refusal unauthorized(String message) {
    return new Refusal(401, message);
  }

  public static Refusal forbidden() {
    return new Refusal(403, "You do not have sufficient permissions.");
  }

  /// Also for what exists and may not be seen: the two must not be told apart.
  public static Refusal notFound() {
    return new Refusal(404, "Resource id not found.");
  }

  public static Refusal conflict(String details) {
    return new Refusal(409, "Resource with this name already exists", Tree.of("details", details));
  }

  public static Refusal notServed(String what) {
    return new Refusal(501, what + " is not served by Berth.");
  }

  /// A submission that breaks policy: every issue at once.
  public static Refusal compliance(List<Tree> issues) {
    return new Refusal(
        400,
        "The workload request does not comply with the policy set by the administrator",
        Tree.of("complianceIssues", issues));
  }

  public int code() {
    return code;
  }

  /// All of it as one text, for where there is no place for fields.
  public String inWords() {
    var words = new StringBuilder(String.valueOf(getMessage()));
    if (more != null) {
      for (var issue : more.trees("complianceIssues")) {
        words.append("; ").append(issue.text("field")).append(": ").append(issue.text("details"));
      }
    }
    return words.toString();
  }

  public Answer.Whole answer() {
    var body = Tree.of("code", code, "message", getMessage());
    if (more != null) {
      more.fields().forEach(body::put);
    }
    var answer = Answer.json(code, body);
    if (code == 429) {
      return answer.with("Retry-After", "1");
    }
    return allow.isEmpty() ? answer : answer.with("Allow", allow);
  }
}
