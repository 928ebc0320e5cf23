package io.berth.server.rest;

import io.berth.admission.User;
import io.berth.api.ApiException;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.Kind;
import io.berth.kinds.PlainStrategy;
import io.berth.server.http.Answer;
import io.berth.server.http.Call;
import io.berth.server.registry.Registry;
import io.berth.server.registry.Served;
import io.berth.server.request.Media;
import io.berth.server.request.RequestInfo;
import io.berth.server.view.View;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// `kubectl get componentstatuses`: whether the parts of a control plane are there. Deprecated, but
/// clients still ask. Nothing is stored; what runs in this process is healthy while it answers.
final class ComponentStatuses {

  private static final Resource RESOURCE =
      new Resource("", "v1", "componentstatuses", "ComponentStatus", false);
  private static final List<String> NAMES = List.of("controller-manager", "scheduler", "etcd-0");
  private static final Served SERVED = new Served(RESOURCE, new Kind(RESOURCE, new Rows()), null);

  private final Registry registry;
  private final Set<String> running;
  private final InstantSource clock;

  ComponentStatuses(Registry registry, Set<String> running, InstantSource clock) {
    this.registry = registry;
    this.running = Set.copyOf(running);
    this.clock = clock;
  }

  boolean serves(RequestInfo info) {
    return info.group().isEmpty()
        && info.version().equals("v1")
        && info.resource().equals(RESOURCE.plural());
  }

  Answer answer(Call call, RequestInfo info, User user) {
    if (!info.namespace().isEmpty() || !info.subresource().isEmpty() || info.verbInPath()) {
      throw ResourceEndpoint.noSuchResource();
    }
    var media = Media.negotiate(call.header("accept"), info.name().isEmpty());
    var view = new View(SERVED, media, call.query().text("includeObject"), clock.instant());
    var exchange = new Exchange(call, info, user, SERVED, view);
    exchange.warnOfDeprecation();
    try {
      return switch (info.action()) {
        case GET -> get(exchange);
        case LIST -> list(exchange);
        case WATCH -> throw noWatch();
        case CREATE, UPDATE, PATCH, DELETE, DELETE_COLLECTION, NONE ->
            ResourceEndpoint.notAllowed();
      };
    } catch (ApiException e) {
      return exchange.refused(e);
    }
  }

  private Answer get(Exchange exchange) {
    var name = exchange.info().name();
    if (!NAMES.contains(name)) {
      throw new ApiException(
          404,
          "NotFound",
          "componentstatus \"%s\" not found".formatted(name),
          Tree.of("name", name, "kind", "componentstatus"));
    }
    return exchange.answer(200, exchange.view().object(status(name)));
  }

  private static ApiException noWatch() {
    return new ApiException(
        405,
        "MethodNotAllowed",
        "watch is not supported on resources of kind \"componentstatuses\"",
        Tree.of("kind", "componentstatuses"));
  }

  private Answer list(Exchange exchange) {
    var options = Options.list(exchange.call().query(), false);
    var selected = registry.matcher(SERVED, options);
    var found = NAMES.stream().map(this::status).filter(selected).toList();
    return exchange.answer(200, exchange.view().list(found));
  }

  private Tree status(String name) {
    boolean healthy = name.equals("etcd-0") || running.contains(name);
    return Tree.of(
        "kind",
        RESOURCE.kind(),
        "apiVersion",
        RESOURCE.apiVersion(),
        "metadata",
        Tree.of("name", name),
        "conditions",
        List.of(
            Tree.of(
                "type",
                "Healthy",
                "status",
                healthy ? "True" : "False",
                "message",
                healthy ? "ok" : "not part of this process")));
  }

  private static final class Rows extends PlainStrategy {

    Rows() {
      super(RESOURCE);
    }

    @Override
    public List<@Nullable Object> cells(Tree object, Instant now) {
      var condition = object.trees("conditions").getFirst();
      return Cells.row(
          Cells.name(object),
          condition.textOrEmpty("status").equals("True") ? "Healthy" : "Unhealthy",
          condition.textOrEmpty("message"),
          condition.textOrEmpty("error"));
    }
  }
}
