package io.berth.server;

import io.berth.api.FeatureGates;
import io.berth.api.Tree;
import io.berth.server.aggregation.FrontProxy;
import io.berth.server.identity.StaticTokens;
import java.time.InstantSource;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/// What a server is given besides its store and its keys. `components` are the other parts of the
/// control plane that run in this process: `scheduler`, `controller-manager`; `documents` are
/// served beside Kubernetes' own paths; `frontProxy` is who it is to other API servers.
public record ServerSettings(
    Health health,
    Audit audit,
    StaticTokens staticTokens,
    ContainerLogs logs,
    Set<String> components,
    FeatureGates gates,
    Map<String, Supplier<Tree>> documents,
    InstantSource clock,
    FrontProxy frontProxy) {

  /// Without audit, without static tokens, with silent containers, alone, and with all gates as
  /// Kubernetes has them.
  public static ServerSettings plain() {
    return new ServerSettings(
        new Health(),
        Audit.NONE,
        StaticTokens.NONE,
        ContainerLogs.SILENT,
        Set.of(),
        FeatureGates.DEFAULT,
        Map.of(),
        InstantSource.system(),
        new FrontProxy());
  }

  public ServerSettings withAudit(Audit other) {
    return new ServerSettings(
        health, other, staticTokens, logs, components, gates, documents, clock, frontProxy);
  }

  public ServerSettings withStaticTokens(StaticTokens other) {
    return new ServerSettings(
        health, audit, other, logs, components, gates, documents, clock, frontProxy);
  }

  public ServerSettings withLogs(ContainerLogs other) {
    return new ServerSettings(
        health, audit, staticTokens, other, components, gates, documents, clock, frontProxy);
  }

  public ServerSettings withComponents(Set<String> others) {
    return new ServerSettings(
        health, audit, staticTokens, logs, Set.copyOf(others), gates, documents, clock, frontProxy);
  }

  public ServerSettings withGates(FeatureGates others) {
    return new ServerSettings(
        health, audit, staticTokens, logs, components, others, documents, clock, frontProxy);
  }

  /// Serves a document at a path beside Kubernetes' own, to those who may read the path:
  /// administrators, unless a role names it.
  public ServerSettings withDocument(String path, Supplier<Tree> document) {
    return new ServerSettings(
        health,
        audit,
        staticTokens,
        logs,
        components,
        gates,
        Map.of(path, document),
        clock,
        frontProxy);
  }

  public ServerSettings withClock(InstantSource other) {
    return new ServerSettings(
        health, audit, staticTokens, logs, components, gates, documents, other, frontProxy);
  }

  public ServerSettings withFrontProxy(FrontProxy other) {
    return new ServerSettings(
        health, audit, staticTokens, logs, components, gates, documents, clock, other);
  }
}
