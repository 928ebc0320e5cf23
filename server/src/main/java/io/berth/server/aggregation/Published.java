package io.berth.server.aggregation;

import io.berth.api.Tree;
import io.berth.server.discovery.Discovery;
import io.berth.server.discovery.OpenApiPaths;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/// Puts what other servers serve beside what is served here, for clients that ask before they act.
final class Published {

  private final Discovery discovery;
  private final OpenApiPaths openApi;
  private Map<String, Discovery.Foreign> before = Map.of();
  private Map<String, String> urlsBefore = Map.of();

  Published(Discovery discovery, OpenApiPaths openApi) {
    this.discovery = discovery;
    this.openApi = openApi;
  }

  /// From now on, this and nothing else is there beside what is served here.
  void show(Map<Remote, Check.Found> found) {
    var foreign = new TreeMap<String, Discovery.Foreign>();
    var urls = new TreeMap<String, String>();
    var swaggers = new LinkedHashMap<String, Tree>();
    found.forEach((remote, documents) -> {
      foreign.put(
          remote.groupVersion(),
          new Discovery.Foreign(
              remote.groupPriority(),
              remote.versionPriority(),
              documents.resources(),
              documents.availability().isTrue()));
      if (!documents.openApi().isEmpty()) {
        urls.put(remote.path().substring(1), documents.openApi());
      }
      if (documents.swagger() != null) {
        swaggers.put(remote.groupVersion() + documents.swaggerTag(), documents.swagger());
      }
    });
    if (!foreign.equals(before)) {
      before = foreign;
      discovery.include(foreign);
    }
    var all = new TreeMap<>(urls);
    swaggers.keySet().forEach(key -> all.put("v2 " + key, ""));
    if (!all.equals(urlsBefore)) {
      urlsBefore = all;
      openApi.include(urls, new ArrayList<>(swaggers.values()));
    }
  }
}
