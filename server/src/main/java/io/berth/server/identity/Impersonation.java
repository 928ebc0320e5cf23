package io.berth.server.identity;

import io.berth.admission.User;
import io.berth.api.ApiException;
import io.berth.server.access.Authorizer;
import io.berth.server.access.Authorizer.Request;
import io.berth.server.http.Call;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Acting as somebody else, as `Impersonate-…` headers ask: each part needs the right to.
public final class Impersonation {

  private static final String EXTRA = "impersonate-extra-";
  private static final String SERVICE_ACCOUNT = "system:serviceaccount:";

  private final Authorizer authorizer;

  public Impersonation(Authorizer authorizer) {
    this.authorizer = authorizer;
  }

  /// The user the request acts as: its own, or the one it may impersonate.
  public User actingAs(User user, Call call) {
    var name = call.header("impersonate-user");
    var uid = call.header("impersonate-uid");
    var groups = call.headerValues("impersonate-group");
    var extra = extra(call);
    if (name.isEmpty()) {
      if (!uid.isEmpty() || !groups.isEmpty() || !extra.isEmpty()) {
        throw ApiException.badRequest(
            "requested %s without impersonating a user"
                .formatted(List.of(groups.isEmpty() ? uid : groups.getFirst())));
      }
      return user;
    }
    check(user, name, uid, groups, extra);
    return new User(name, uid, effectiveGroups(name, groups), extra);
  }

  private void check(
      User user, String name, String uid, List<String> groups, Map<String, List<String>> extra) {
    var account = serviceAccount(name);
    if (account == null) {
      check(user, "", "users", "", "", name);
    } else {
      check(user, "", "serviceaccounts", "", account[0], account[1]);
    }
    for (var group : groups) {
      check(user, "", "groups", "", "", group);
    }
    extra.forEach((key, values) ->
        values.forEach(
            value -> check(user, "authentication.k8s.io", "userextras", key, "", value)));
    if (!uid.isEmpty()) {
      check(user, "authentication.k8s.io", "uids", "", "", uid);
    }
  }

  private void check(
      User user, String group, String resource, String subresource, String namespace, String name) {
    authorizer.check(
        new Request(user, "impersonate", group, "v1", resource, subresource, namespace, name, ""));
  }

  private static List<String> effectiveGroups(String name, List<String> asked) {
    var groups = new ArrayList<>(asked);
    var account = serviceAccount(name);
    if (groups.isEmpty() && account != null) {
      groups.add("system:serviceaccounts");
      groups.add("system:serviceaccounts:" + account[0]);
    }
    var last =
        name.equals("system:anonymous") ? "system:unauthenticated" : Authenticator.AUTHENTICATED;
    if (!groups.contains(last)) {
      groups.add(last);
    }
    return groups;
  }

  private static String @org.jspecify.annotations.Nullable [] serviceAccount(String name) {
    if (!name.startsWith(SERVICE_ACCOUNT)) {
      return null;
    }
    var parts = name.substring(SERVICE_ACCOUNT.length()).split(":", -1);
    return parts.length == 2 && !parts[0].isEmpty() && !parts[1].isEmpty() ? parts : null;
  }

  private static Map<String, List<String>> extra(Call call) {
    Map<String, List<String>> extra = new LinkedHashMap<>();
    call.headers()
        .forEach((header, values) -> {
          if (header.startsWith(EXTRA)) {
            extra.put(decoded(header.substring(EXTRA.length())), values);
          }
        });
    return extra;
  }

  private static String decoded(String key) {
    try {
      return URLDecoder.decode(key.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return key;
    }
  }
}
