package io.berth.server.registry;

import io.berth.admission.Attributes;
import io.berth.admission.User;
import io.berth.kinds.Write;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/// One request on its way: who makes it, when, with what options, and what the client is warned of.
///
/// Used by one thread.
public final class Context {

  private final User user;
  private final Instant now;
  private final WriteOptions options;
  private final LinkedHashSet<String> warnings = new LinkedHashSet<>();
  private final Map<String, String> annotations = new LinkedHashMap<>();

  public Context(User user, Instant now, WriteOptions options) {
    this.user = user;
    this.now = now;
    this.options = options;
  }

  public User user() {
    return user;
  }

  public Instant now() {
    return now;
  }

  public WriteOptions options() {
    return options;
  }

  public boolean dryRun() {
    return options.dryRun();
  }

  public Write write() {
    return new Write(now, user.name(), user.uid(), user.groups(), user.extra(), options.dryRun());
  }

  public void warn(String warning) {
    warnings.add(warning);
  }

  public void warnAll(List<String> more) {
    warnings.addAll(more);
  }

  /// Takes over what admission wants the client and the audit log to know.
  public void hear(Attributes admitted) {
    warnings.addAll(admitted.warnings());
    annotations.putAll(admitted.annotations());
  }

  /// What the audit log is told besides.
  public Map<String, String> annotations() {
    return Map.copyOf(annotations);
  }

  public List<String> warnings() {
    return new ArrayList<>(warnings);
  }
}
