package io.berth.admission.podsecurity;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// What a namespace enforces and warns about.
public record Policy(Level enforce, Level warn) {

  private static final String PREFIX = "pod-security.kubernetes.io/";
  private static final Pattern VERSION = Pattern.compile("v1\\.([0-9]|[1-9][0-9]*)");
  private static final List<String> LEVELS = List.of("privileged", "baseline", "restricted");

  /// Reads the labels of a namespace. A mode with a bad label gets the strictest level and the
  /// latest version, as in Kubernetes, and the label is reported.
  public static Policy of(Map<String, String> labels, FieldErrors errors) {
    var enforce = read(labels, "enforce", errors);
    read(labels, "audit", errors);
    var warn = read(labels, "warn", errors);
    boolean warns =
        labels.containsKey(PREFIX + "warn") || labels.containsKey(PREFIX + "warn-version");
    var enforced = enforce == null ? Level.PRIVILEGED : enforce;
    return new Policy(enforced, warns && warn != null ? warn : enforced);
  }

  private static @Nullable Level read(Map<String, String> labels, String mode, FieldErrors errors) {
    var level = labels.get(PREFIX + mode);
    var version = labels.get(PREFIX + mode + "-version");
    if (level == null && version == null) {
      return null;
    }
    var name = level == null ? "privileged" : level;
    if (!LEVELS.contains(name)) {
      errors.invalid(path(PREFIX + mode), name, "must be one of " + String.join(", ", LEVELS));
      name = "restricted";
    }
    return new Level(name, minor(version, mode, errors));
  }

  private static int minor(@Nullable String version, String mode, FieldErrors errors) {
    if (version == null || version.equals("latest")) {
      return Level.LATEST;
    }
    var matcher = VERSION.matcher(version);
    if (!matcher.matches()) {
      errors.invalid(path(PREFIX + mode + "-version"), version, "must be \"latest\" or \"v1.x\"");
      return Level.LATEST;
    }
    return Integer.parseInt(matcher.group(1));
  }

  private static FieldPath path(String label) {
    return FieldPath.of("metadata").child("labels").key(label);
  }
}
