package io.berth.cluster.kubernetes;

import io.berth.api.Resource;
import io.berth.cluster.Cluster.Selection;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/// Where things are on an API server.
final class Paths {

  // As client-go does: watches of many clients must not all end in the same second.
  private static final int MIN_WATCH_SECONDS = 300;

  private final String manager;

  Paths(String component) {
    int end = component.indexOf('/');
    this.manager = end < 0 ? component : component.substring(0, end);
  }

  String collection(Resource resource, String namespace) {
    var path = new StringBuilder(96);
    path.append(resource.group().isEmpty() ? "/api/" : "/apis/").append(resource.apiVersion());
    if (resource.namespaced() && !namespace.isEmpty()) {
      path.append("/namespaces/").append(segment(namespace));
    }
    return path.append('/').append(resource.plural()).toString();
  }

  String object(Resource resource, String namespace, String name, @Nullable String subresource) {
    var path = collection(resource, namespace) + "/" + segment(name);
    return subresource == null ? path : path + "/" + subresource;
  }

  String list(Resource resource, String namespace, Selection selection) {
    var query = new StringBuilder();
    select(query, selection);
    var path = collection(resource, namespace);
    return query.isEmpty() ? path : path + "?" + query.substring(1);
  }

  String watch(Resource resource, String namespace, Selection selection, String afterRevision) {
    var query = new StringBuilder("?watch=1&allowWatchBookmarks=true&resourceVersion=");
    query.append(segment(afterRevision));
    int seconds = MIN_WATCH_SECONDS + ThreadLocalRandom.current().nextInt(MIN_WATCH_SECONDS);
    query.append("&timeoutSeconds=").append(seconds);
    select(query, selection);
    return collection(resource, namespace) + query;
  }

  String managed(String target) {
    return target + "?fieldManager=" + segment(manager);
  }

  private static void select(StringBuilder query, Selection selection) {
    if (!selection.labelSelector().isEmpty()) {
      query.append("&labelSelector=").append(segment(selection.labelSelector()));
    }
    if (!selection.fieldSelector().isEmpty()) {
      query.append("&fieldSelector=").append(segment(selection.fieldSelector()));
    }
  }

  private static String segment(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean plain =
          (c >= 'a' && c <= 'z')
              || (c >= '0' && c <= '9')
              || c == '-'
              || c == '.'
              || (c >= 'A' && c <= 'Z');
      if (!plain) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
      }
    }
    return text;
  }
}
