package io.berth.server.identity;

import io.berth.admission.User;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Bearer tokens from a file, as kube-apiserver reads them: `token,user,uid,"group1,group2"` a
/// line. The tokens themselves are not kept, only what they hash to.
public final class StaticTokens {

  public static final StaticTokens NONE = new StaticTokens(Map.of());

  private static final int MAX_BYTES = 1 << 20;
  private static final int LEAST_COLUMNS = 3;

  private final Map<String, User> byDigest;

  private StaticTokens(Map<String, User> byDigest) {
    this.byDigest = byDigest;
  }

  /// Reads the file once; changes to it need a restart, as in Kubernetes.
  ///
  /// @throws IllegalArgumentException naming the line that makes no sense
  public static StaticTokens read(Path file) throws IOException {
    if (Files.size(file) > MAX_BYTES) {
      throw new IllegalArgumentException(
          "token file %s is larger than %d bytes".formatted(file, MAX_BYTES));
    }
    var users = new HashMap<String, User>();
    int number = 0;
    for (var line : Files.readAllLines(file, StandardCharsets.UTF_8)) {
      number++;
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      var columns = columns(line);
      if (columns.size() < LEAST_COLUMNS || columns.getFirst().isEmpty()) {
        throw new IllegalArgumentException(
            "token file %s, line %d: needs token, user name and user uid, and may have groups: token,user,uid,\"group1,group2\""
                .formatted(file, number));
      }
      if (users.put(digest(columns.getFirst()), user(columns)) != null) {
        throw new IllegalArgumentException(
            "token file %s, line %d: this token stands in the file twice".formatted(file, number));
      }
    }
    return new StaticTokens(Map.copyOf(users));
  }

  /// Whose token this is, or `null`.
  @Nullable User find(String token) {
    return byDigest.isEmpty() ? null : byDigest.get(digest(token));
  }

  private static User user(List<String> columns) {
    var groups = new ArrayList<String>();
    if (columns.size() > LEAST_COLUMNS) {
      for (var group : columns.get(LEAST_COLUMNS).split(",", -1)) {
        if (!group.isBlank()) {
          groups.add(group.strip());
        }
      }
    }
    return Authenticator.authenticated(columns.get(1), columns.get(2), groups, Map.of());
  }

  /// The columns of a line; a comma inside quotes is part of its column.
  private static List<String> columns(String line) {
    var columns = new ArrayList<String>();
    var column = new StringBuilder();
    boolean quoted = false;
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      if (c == '"') {
        quoted = !quoted;
      } else if (c == ',' && !quoted) {
        columns.add(column.toString().strip());
        column.setLength(0);
      } else {
        column.append(c);
      }
    }
    columns.add(column.toString().strip());
    return columns;
  }

  private static String digest(String token) {
    try {
      var hash = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(hash.digest(token.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
