package io.berth.server.rest;

import io.berth.api.ApiException;
import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.server.identity.Tokens;
import io.berth.server.identity.Tokens.Bound;
import io.berth.server.registry.Context;
import io.berth.server.registry.Registry;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// `POST …/serviceaccounts/{name}/token`.
final class TokenRequests {

  private static final long DEFAULT_SECONDS = 3600;
  private static final long MIN_SECONDS = 600;
  private static final long MAX_SECONDS = 1L << 32;

  private final Registry registry;
  private final Tokens tokens;

  TokenRequests(Registry registry, Tokens tokens) {
    this.registry = registry;
    this.tokens = tokens;
  }

  Tree issue(String namespace, String name, Tree request, Context context) {
    var accounts = registry.catalog().of(Resource.SERVICE_ACCOUNTS);
    var account = registry.fetch(accounts, namespace, name, "").object();
    var spec = request.child("spec");
    long seconds = spec.number(DEFAULT_SECONDS, "expirationSeconds");
    check(seconds);
    registry.admitSubresource(accounts, "token", namespace, name, request, context);
    var bound = bound(namespace, spec.tree("boundObjectRef"));
    var audiences = audiences(spec);
    var expires = context.now().plusSeconds(seconds);
    var token = tokens.issue(account, audiences, expires, bound);
    return Tree.of(
        "kind", "TokenRequest",
        "apiVersion", "authentication.k8s.io/v1",
        "metadata",
            Tree.of(
                "name",
                name,
                "namespace",
                namespace,
                "uid",
                account.textOrEmpty("metadata", "uid"),
                "creationTimestamp",
                Registry.timeOf(context.now())),
        "spec",
            Tree.of(
                "audiences", audiences,
                "expirationSeconds", seconds,
                "boundObjectRef", spec.get("boundObjectRef")),
        "status", Tree.of("token", token, "expirationTimestamp", Registry.timeOf(expires)));
  }

  private static void check(long seconds) {
    var errors = new FieldErrors();
    var path = FieldPath.of("spec", "expirationSeconds");
    if (seconds < MIN_SECONDS) {
      errors.invalid(path, seconds, "may not specify a duration less than 10 minutes");
    }
    if (seconds > MAX_SECONDS) {
      errors.invalid(path, seconds, "may not specify a duration larger than 2^32 seconds");
    }
    if (!errors.isEmpty()) {
      throw errors.toException("authentication.k8s.io", "TokenRequest", "");
    }
  }

  private static List<String> audiences(Tree spec) {
    var audiences = new ArrayList<String>();
    for (var audience : spec.list("audiences")) {
      audiences.add(String.valueOf(audience));
    }
    return audiences.isEmpty() ? List.of(Tokens.ISSUER) : audiences;
  }

  private @Nullable Bound bound(String namespace, @Nullable Tree reference) {
    if (reference == null) {
      return null;
    }
    var kind = reference.textOrEmpty("kind");
    var name = reference.textOrEmpty("name");
    var resource =
        switch (kind) {
          case "Pod" -> Resource.PODS;
          case "Secret" -> Resource.SECRETS;
          case "Node" -> Resource.NODES;
          default ->
              throw ApiException.badRequest(
                  "cannot bind token to object of type /%s, Kind=%s"
                      .formatted(reference.textOrEmpty("apiVersion"), kind));
        };
    var served = registry.catalog().of(resource);
    var object = registry.fetch(served, resource.namespaced() ? namespace : "", name, "").object();
    var uid = object.textOrEmpty("metadata", "uid");
    var wanted = reference.textOrEmpty("uid");
    if (!wanted.isEmpty() && !wanted.equals(uid)) {
      throw new ApiException(
          409,
          "Conflict",
          "Operation cannot be fulfilled on %s \"%s\": the UID in the bound object reference (%s) does not match the UID in record. The object might have been deleted and then recreated"
              .formatted(kind, name, wanted),
          Tree.of("name", name, "kind", kind));
    }
    return new Bound(kind.toLowerCase(Locale.ROOT), name, uid, node(object));
  }

  /// The node a bound pod runs on.
  private @Nullable Bound node(Tree object) {
    var name = object.textOrEmpty("spec", "nodeName");
    if (name.isEmpty()) {
      return null;
    }
    var node = registry.objects().find(Resource.NODES, "", name);
    return node == null ? null : new Bound("node", name, node.textOrEmpty("metadata", "uid"), null);
  }
}
