package io.berth.server.discovery;

import io.berth.api.Tree;
import io.berth.schema.Types;
import io.berth.schema.openapi.Endpoint;
import io.berth.schema.openapi.OpenApi;
import io.berth.server.http.Answer;
import io.berth.server.http.Call;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// `/openapi/v3`, the documents it points to, and `/openapi/v2`.
public final class OpenApiPaths {

  private static final String JSON = "application/json";
  private static final String V2_PROTOBUF =
      "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";
  private static final String V2_PROTOBUF_OLD =
      "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";

  private final OpenApi openApi;

  public OpenApiPaths(Discovery discovery, String version) {
    this.openApi = new OpenApi(Types.kubernetes(), version);
    refresh(discovery);
  }

  /// Publishes what is advertised now.
  public void refresh(Discovery discovery) {
    Map<String, List<Endpoint>> served = new LinkedHashMap<>();
    discovery
        .all()
        .forEach((groupVersion, resources) -> {
          var endpoints = new ArrayList<Endpoint>();
          resources.forEach(each -> endpoints.add(endpoint(each)));
          served.put(groupVersion, endpoints);
        });
    openApi.serve(served);
  }

  /// Points to what other servers publish: the places of their documents by path (`apis/g/v`), and
  /// what they say in the form of version 2.
  public void include(Map<String, String> places, List<Tree> swaggers) {
    openApi.include(places, swaggers);
  }

  private static Endpoint endpoint(Advertised each) {
    var resource = each.resource();
    var subresources = new ArrayList<Endpoint.Subresource>();
    for (var subresource : each.subresources()) {
      var home =
          subresource.version().isEmpty()
              ? resource.apiVersion()
              : subresource.group().isEmpty()
                  ? subresource.version()
                  : subresource.group() + "/" + subresource.version();
      subresources.add(
          new Endpoint.Subresource(
              subresource.name(), home, subresource.kind(), subresource.verbs()));
    }
    return new Endpoint(resource, each.verbs(), subresources, each.schema());
  }

  /// The document at this path, or `null` when there is none.
  public @Nullable Answer find(Call call, String path) {
    if (path.equals("/openapi/v2")) {
      return v2(call);
    }
    if (path.equals("/openapi/v3")) {
      return answer(call, openApi.index(), JSON);
    }
    return path.startsWith("/openapi/v3/")
        ? openApi
            .find(path.substring("/openapi/v3/".length()))
            .map(document -> answer(call, document, JSON))
            .orElse(null)
        : null;
  }

  private Answer v2(Call call) {
    var accept = call.header("accept");
    boolean binary = accept.contains(V2_PROTOBUF) || accept.contains(V2_PROTOBUF_OLD);
    return binary
        ? answer(call, openApi.swaggerProtobuf(), V2_PROTOBUF_OLD)
        : answer(call, openApi.swaggerJson(), JSON);
  }

  private static Answer answer(Call call, OpenApi.Document document, String type) {
    var tag = "\"" + document.tag() + "\"";
    var headers = new ArrayList<Map.Entry<String, String>>();
    headers.add(Map.entry("Content-Type", type));
    headers.add(Map.entry("ETag", tag));
    headers.add(Map.entry("Vary", "Accept"));
    // A URL with a hash names one document for ever.
    headers.add(
        Map.entry(
            "Cache-Control",
            call.query().text("hash").equals(document.tag())
                ? "public, immutable, max-age=31536000"
                : "no-cache, private"));
    return call.header("if-none-match").equals(tag)
        ? new Answer.Whole(304, headers, new byte[0])
        : new Answer.Whole(200, headers, document.bytes());
  }
}
