package io.berth.server.rest;

import io.berth.api.ApiException;
import io.berth.api.Tree;
import io.berth.server.access.Authorizer;
import io.berth.server.http.Answer;
import io.berth.server.identity.Tokens;
import io.berth.server.registry.Context;
import io.berth.server.registry.Outcome;
import io.berth.server.registry.Registry;
import io.berth.server.request.Action;
import java.time.InstantSource;

/// Serves what hangs below an object: doors to the object itself, `scale`, and actions.
final class SubresourceEndpoint {

  private final Registry registry;
  private final Authorizer authorizer;
  private final Bodies bodies;
  private final Patches patches;
  private final InstantSource clock;
  private final TokenRequests tokenRequests;
  private final PodLogs podLogs;

  SubresourceEndpoint(
      Registry registry,
      Authorizer authorizer,
      Tokens tokens,
      Bodies bodies,
      Patches patches,
      PodLogs podLogs,
      InstantSource clock) {
    this.podLogs = podLogs;
    this.authorizer = authorizer;
    this.registry = registry;
    this.bodies = bodies;
    this.patches = patches;
    this.clock = clock;
    this.tokenRequests = new TokenRequests(registry, tokens);
  }

  Answer answer(Exchange exchange) {
    var subresource = exchange.info().subresource();
    if (!exchange.info().rest().isEmpty() && !subresource.equals("proxy")) {
      throw ResourceEndpoint.noSuchResource();
    }
    var kind = exchange.served().kind();
    if (subresource.equals("scale") && kind.strategy().scale() != null) {
      return scale(exchange);
    }
    if (kind.subresources().containsKey(subresource)) {
      return door(exchange);
    }
    if (exchange.served().isCustom()) {
      throw ApiException.notFound(exchange.served().resource(), exchange.info().name());
    }
    return action(exchange);
  }

  private Answer door(Exchange exchange) {
    var action = exchange.info().action();
    if (exchange.info().subresource().equals("finalize") && action != Action.UPDATE) {
      return ResourceEndpoint.notAllowed();
    }
    return switch (action) {
      case GET -> exchange.answer(200, exchange.view().object(fetch(exchange)));
      case UPDATE -> {
        var context = context(exchange, "UpdateOptions");
        var object = exchange.body(bodies, context);
        yield exchange.answer(
            registry.update(
                exchange.served(),
                exchange.info().subresource(),
                exchange.namespace(),
                exchange.info().name(),
                object,
                context),
            context);
      }
      case PATCH -> patchDoor(exchange);
      case LIST, WATCH, CREATE, DELETE, DELETE_COLLECTION, NONE -> ResourceEndpoint.notAllowed();
    };
  }

  private Answer patchDoor(Exchange exchange) {
    var type = Patches.type(exchange.call(), exchange.served());
    var context =
        exchange.context(
            Options.write(exchange.call(), "PatchOptions", type == Patches.Type.APPLY), clock);
    return exchange.answer(patches.patch(exchange, type, context), context);
  }

  private Answer scale(Exchange exchange) {
    var info = exchange.info();
    return switch (info.action()) {
      case GET -> {
        var scale = registry.scaleOf(exchange.served(), fetch(exchange).object());
        yield exchange.answer(200, exchange.view().object(scale));
      }
      case UPDATE -> {
        var context = context(exchange, "UpdateOptions");
        var scale = exchange.body(bodies, "autoscaling/v1", "Scale", context);
        yield exchange.answer(
            registry.updateScale(
                exchange.served(), exchange.namespace(), info.name(), _ -> scale, context),
            context);
      }
      case PATCH -> {
        var type = Patches.type(exchange.call(), exchange.served());
        var context =
            exchange.context(
                Options.write(exchange.call(), "PatchOptions", type == Patches.Type.APPLY), clock);
        yield exchange.answer(patches.patchScale(exchange, type, context), context);
      }
      case LIST, WATCH, CREATE, DELETE, DELETE_COLLECTION, NONE -> ResourceEndpoint.notAllowed();
    };
  }

  private Answer action(Exchange exchange) {
    var what = exchange.served().storage().plural() + "/" + exchange.info().subresource();
    boolean post = exchange.info().action() == Action.CREATE;
    boolean read = exchange.info().action() == Action.GET;
    return switch (what) {
      case "pods/binding" -> post ? bind(exchange) : ResourceEndpoint.notAllowed();
      case "pods/eviction" -> post ? evict(exchange) : ResourceEndpoint.notAllowed();
      case "serviceaccounts/token" -> post ? token(exchange) : ResourceEndpoint.notAllowed();
      case "pods/log" -> read ? podLogs.answer(exchange) : ResourceEndpoint.notAllowed();
      case "pods/exec", "pods/attach", "pods/portforward" ->
          read || post ? connect(exchange) : ResourceEndpoint.notAllowed();
      case "pods/proxy" -> connect(exchange);
      default -> throw ResourceEndpoint.noSuchResource();
    };
  }

  private Answer bind(Exchange exchange) {
    var context = context(exchange, "CreateOptions");
    var binding = exchange.body(bodies, "v1", "Binding", context);
    return act(exchange, binding, context);
  }

  private Answer evict(Exchange exchange) {
    var context = context(exchange, "CreateOptions");
    var eviction = bodies.eviction(exchange, context);
    return act(exchange, eviction, context);
  }

  private Answer act(Exchange exchange, Tree body, Context context) {
    var info = exchange.info();
    var status =
        registry.post(
            exchange.served(),
            exchange.namespace(),
            info.name(),
            info.subresource(),
            body,
            context);
    return exchange.answer(Outcome.shown(201, status), context);
  }

  private Answer token(Exchange exchange) {
    var context = context(exchange, "CreateOptions");
    var request = exchange.body(bodies, "authentication.k8s.io/v1", "TokenRequest", context);
    var answer =
        tokenRequests.issue(exchange.namespace(), exchange.info().name(), request, context);
    return exchange.answer(Outcome.shown(201, answer), context);
  }

  private Answer connect(Exchange exchange) {
    var subresource = exchange.info().subresource();
    if (!subresource.equals("proxy")) {
      checkMayCreate(exchange);
    }
    var pod = fetch(exchange).object();
    var name = pod.textOrEmpty("metadata", "name");
    if (subresource.equals("exec") || subresource.equals("attach")) {
      PodLogs.container(pod, exchange.call().query().text("container"));
    }
    if (subresource.equals("proxy") && pod.textOrEmpty("status", "podIP").isEmpty()) {
      throw ApiException.badRequest("address not allowed");
    }
    if (pod.textOrEmpty("spec", "nodeName").isEmpty()) {
      throw ApiException.badRequest("pod %s does not have a host assigned".formatted(name));
    }
    throw ApiException.badRequest(
        "pod %s runs on a simulated node; %s is not available there".formatted(name, subresource));
  }

  /// Browsers open a connection with GET, but who may only read must not run anything: as in
  /// Kubernetes, that needs the right to create, whatever the method.
  private void checkMayCreate(Exchange exchange) {
    var info = exchange.info();
    var decision =
        authorizer.decide(
            new Authorizer.Request(
                exchange.user(),
                Action.CREATE.verb(),
                info.group(),
                info.version(),
                info.resource(),
                info.subresource(),
                info.namespace(),
                info.name(),
                info.path()));
    if (!decision.allowed()) {
      throw ApiException.forbidden(exchange.served().resource(), info.name(), decision.reason());
    }
  }

  private io.berth.store.Entry fetch(Exchange exchange) {
    return registry.fetch(exchange.served(), exchange.namespace(), exchange.info().name(), "");
  }

  private Context context(Exchange exchange, String kind) {
    Bodies.checkType(exchange);
    return exchange.context(Options.write(exchange.call(), kind, false), clock);
  }
}
