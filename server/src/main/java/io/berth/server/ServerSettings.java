package io.berth.server;

import io.berth.server.identity.StaticTokens;

/// What a server is given besides its store and its keys.
public record ServerSettings(
    Health health, Audit audit, StaticTokens staticTokens, ContainerLogs logs) {

  /// Without audit, without static tokens, and with silent containers.
  public static ServerSettings plain() {
    return new ServerSettings(new Health(), Audit.NONE, StaticTokens.NONE, ContainerLogs.SILENT);
  }

  public ServerSettings withAudit(Audit other) {
    return new ServerSettings(health, other, staticTokens, logs);
  }

  public ServerSettings withStaticTokens(StaticTokens other) {
    return new ServerSettings(health, audit, other, logs);
  }

  public ServerSettings withLogs(ContainerLogs other) {
    return new ServerSettings(health, audit, staticTokens, other);
  }
}
