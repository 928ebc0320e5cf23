package io.berth.server;

import io.berth.server.identity.StaticTokens;
import java.util.Set;

/// What a server is given besides its store and its keys. `components` are the other parts of the
/// control plane that run in this process: `scheduler`, `controller-manager`.
public record ServerSettings(
    Health health,
    Audit audit,
    StaticTokens staticTokens,
    ContainerLogs logs,
    Set<String> components) {

  /// Without audit, without static tokens, with silent containers, and alone.
  public static ServerSettings plain() {
    return new ServerSettings(
        new Health(), Audit.NONE, StaticTokens.NONE, ContainerLogs.SILENT, Set.of());
  }

  public ServerSettings withAudit(Audit other) {
    return new ServerSettings(health, other, staticTokens, logs, components);
  }

  public ServerSettings withStaticTokens(StaticTokens other) {
    return new ServerSettings(health, audit, other, logs, components);
  }

  public ServerSettings withLogs(ContainerLogs other) {
    return new ServerSettings(health, audit, staticTokens, other, components);
  }

  public ServerSettings withComponents(Set<String> others) {
    return new ServerSettings(health, audit, staticTokens, logs, Set.copyOf(others));
  }
}
