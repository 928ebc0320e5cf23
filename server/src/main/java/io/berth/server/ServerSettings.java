package io.berth.server;

import io.berth.api.FeatureGates;
import io.berth.server.identity.StaticTokens;
import java.util.Set;

/// What a server is given besides its store and its keys. `components` are the other parts of the
/// control plane that run in this process: `scheduler`, `controller-manager`.
public record ServerSettings(
    Health health,
    Audit audit,
    StaticTokens staticTokens,
    ContainerLogs logs,
    Set<String> components,
    FeatureGates gates) {

  /// Without audit, without static tokens, with silent containers, alone, and with all gates as
  /// Kubernetes has them.
  public static ServerSettings plain() {
    return new ServerSettings(
        new Health(),
        Audit.NONE,
        StaticTokens.NONE,
        ContainerLogs.SILENT,
        Set.of(),
        FeatureGates.DEFAULT);
  }

  public ServerSettings withAudit(Audit other) {
    return new ServerSettings(health, other, staticTokens, logs, components, gates);
  }

  public ServerSettings withStaticTokens(StaticTokens other) {
    return new ServerSettings(health, audit, other, logs, components, gates);
  }

  public ServerSettings withLogs(ContainerLogs other) {
    return new ServerSettings(health, audit, staticTokens, other, components, gates);
  }

  public ServerSettings withComponents(Set<String> others) {
    return new ServerSettings(health, audit, staticTokens, logs, Set.copyOf(others), gates);
  }

  public ServerSettings withGates(FeatureGates others) {
    return new ServerSettings(health, audit, staticTokens, logs, components, others);
  }
}
