package io.berth.store;

import java.time.Duration;

/// Objects of one resource that go by themselves: `after` their last write, and, when there are
/// more than `most`, the longest unwritten first.
public record Expiry(String group, String resource, Duration after, int most) {

  /// As in Kubernetes, events live for an hour. The bound keeps a flood of them from taking the
  /// memory of everything else.
  public static final Expiry EVENTS = new Expiry("", "events", Duration.ofHours(1), 100_000);

  boolean covers(Key key) {
    return key.resource().equals(resource) && key.group().equals(group);
  }
}
