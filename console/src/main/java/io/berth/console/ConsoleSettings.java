package io.berth.console;

import java.util.Set;

/// How a console is served.
///
/// @param name tells it from others on this machine: a few letters and digits
/// @param cluster what its readers know the cluster as
/// @param hosts the names with port that it answers to, on loopback without TLS; empty with TLS
/// @param readOnly whether nothing can be changed through it
public record ConsoleSettings(String name, String cluster, Set<String> hosts, boolean readOnly) {

  public ConsoleSettings {
    hosts = Set.copyOf(hosts);
  }
}
