package io.berth.schema.cel;

import static io.berth.schema.cel.KubernetesFunctions.STRING;
import static io.berth.schema.cel.KubernetesFunctions.problem;

import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.SimpleType;
import io.berth.api.FieldError;
import io.berth.schema.cel.Functions.Parameter;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// `url`, `isURL` and the parts of URLs.
final class UrlFunctions {

  private static final OpaqueType TYPE = OpaqueType.create("kubernetes.URL");
  private static final Parameter<URI> URL = new Parameter<>(TYPE, URI.class);

  private UrlFunctions() {}

  static void addTo(Functions functions) {
    functions.global(
        "url",
        "string_to_url",
        TYPE,
        STRING,
        text -> {
          var url = parse(text);
          if (url == null) {
            throw problem(
                "URL parse error during conversion from string: parse %s: invalid URI for request"
                    .formatted(FieldError.quoted(text)));
          }
          return url;
        });
    functions.global(
        "isURL", "is_url_string", SimpleType.BOOL, STRING, text -> parse(text) != null);
    functions.member(
        "getScheme", "url_get_scheme", SimpleType.STRING, URL, url -> orEmpty(url.getScheme()));
    functions.member(
        "getHost", "url_get_host", SimpleType.STRING, URL, url -> orEmpty(url.getRawAuthority()));
    functions.member(
        "getHostname", "url_get_hostname", SimpleType.STRING, URL, UrlFunctions::hostname);
    functions.member(
        "getPort",
        "url_get_port",
        SimpleType.STRING,
        URL,
        url -> url.getPort() < 0 ? "" : String.valueOf(url.getPort()));
    functions.member(
        "getEscapedPath",
        "url_get_escaped_path",
        SimpleType.STRING,
        URL,
        url -> orEmpty(url.getRawPath()));
    functions.member(
        "getQuery",
        "url_get_query",
        MapType.create(SimpleType.STRING, ListType.create(SimpleType.STRING)),
        URL,
        UrlFunctions::query);
  }

  private static @Nullable URI parse(String text) {
    try {
      var uri = new URI(text);
      return uri.isAbsolute() || text.startsWith("/") ? uri : null;
    } catch (URISyntaxException e) {
      return null;
    }
  }

  private static String hostname(URI url) {
    var host = orEmpty(url.getHost());
    return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
  }

  private static Map<String, List<String>> query(URI url) {
    var query = new TreeMap<String, List<String>>();
    for (var part : orEmpty(url.getRawQuery()).split("&", -1)) {
      int equals = part.indexOf('=');
      if (!part.isEmpty()) {
        var name = decoded(equals < 0 ? part : part.substring(0, equals));
        var value = equals < 0 ? "" : decoded(part.substring(equals + 1));
        query.computeIfAbsent(name, _ -> new ArrayList<>()).add(value);
      }
    }
    return query;
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }

  private static String orEmpty(@Nullable String text) {
    return text == null ? "" : text;
  }
}
