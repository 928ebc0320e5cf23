package io.berth.server.rest;

import io.berth.admission.User;
import io.berth.api.ApiException;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.schema.FieldValidation;
import io.berth.server.ServerSettings;
import io.berth.server.access.Authorizer;
import io.berth.server.budget.Use;
import io.berth.server.http.Answer;
import io.berth.server.http.Call;
import io.berth.server.identity.Tokens;
import io.berth.server.registry.Registry;
import io.berth.server.registry.WriteOptions;
import io.berth.server.request.Action;
import io.berth.server.request.Media;
import io.berth.server.request.RequestInfo;
import io.berth.server.view.View;
import io.berth.server.watch.WatchStream;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Map;
import java.util.Set;

/// Serves resources: one method per verb.
public final class ResourceEndpoint {

  /// Subresources that are posted to.
  private static final Set<String> CREATED =
      Set.of("pods/binding", "pods/eviction", "serviceaccounts/token");

  private final Registry registry;
  private final InstantSource clock;
  private final Bodies bodies = new Bodies();
  private final Patches patches;
  private final SubresourceEndpoint subresources;
  private final ReviewEndpoint reviews;
  private final ComponentStatuses components;

  public ResourceEndpoint(
      Registry registry,
      Authorizer authorizer,
      Tokens tokens,
      ServerSettings settings,
      InstantSource clock) {
    this.registry = registry;
    this.clock = clock;
    this.patches = new Patches(registry);
    this.subresources =
        new SubresourceEndpoint(
            registry,
            authorizer,
            tokens,
            bodies,
            patches,
            new PodLogs(registry, settings.logs(), clock),
            clock);
    this.components = new ComponentStatuses(registry, settings.components(), clock);
    this.reviews = new ReviewEndpoint(registry, authorizer, tokens, bodies, clock);
  }

  /// The revision a read asks for that is not there yet, or 0.
  public long revisionToCome(Call call, RequestInfo info) {
    var asked = call.query().text("resourceVersion");
    boolean reads =
        switch (info.action()) {
          case GET, LIST, DELETE_COLLECTION -> !asked.isEmpty() && asked.length() <= 18;
          default -> false;
        };
    if (!reads
        || !asked.chars().allMatch(each -> each >= '0' && each <= '9')
        || registry.catalog().find(info.group(), info.version(), info.resource()).isEmpty()) {
      return 0;
    }
    long revision = Long.parseLong(asked);
    return revision > registry.store().revision() ? revision : 0;
  }

  /// Waits a little for a revision; throws the refusal when it does not come.
  public void await(long revision) {
    registry.await(revision);
  }

  public Answer answer(Call call, RequestInfo info, User user) {
    if (reviews.serves(info)) {
      return reviews.answer(call, info, user);
    }
    if (components.serves(info)) {
      return components.answer(call, info, user);
    }
    var served =
        registry
            .catalog()
            .find(info.group(), info.version(), info.resource())
            .orElseThrow(ResourceEndpoint::noSuchResource);
    boolean namespaced = served.resource().namespaced();
    if (isOutOfScope(info, namespaced)) {
      throw noSuchResource();
    }
    if (info.verbInPath() && !isWatchPath(info)) {
      throw noSuchResource();
    }
    boolean collection = info.name().isEmpty();
    if (collection && !info.subresource().isEmpty()) {
      return nameless(info);
    }
    if (collection && namespaced && info.namespace().isEmpty() && !isRead(info)) {
      return notAllowed();
    }
    if (info.action() == Action.PATCH && !collection && info.subresource().isEmpty()) {
      Patches.type(call, served);
    }
    var media = Media.negotiate(call.header("accept"), collection && isRead(info));
    var view = new View(served, media, call.query().text("includeObject"), clock.instant());
    var exchange = new Exchange(call, info, user, served, view);
    exchange.warnOfDeprecation();
    try {
      return info.subresource().isEmpty() ? main(exchange) : subresources.answer(exchange);
    } catch (ApiException e) {
      return exchange.refused(e);
    }
  }

  private Answer main(Exchange exchange) {
    boolean collection = exchange.info().name().isEmpty();
    return switch (exchange.info().action()) {
      case GET -> get(exchange);
      case LIST -> list(exchange);
      case WATCH -> watch(exchange);
      case CREATE -> collection ? create(exchange) : notAllowed();
      case UPDATE -> collection ? notAllowed() : update(exchange);
      case PATCH -> collection ? notAllowed() : patch(exchange);
      case DELETE -> delete(exchange);
      case DELETE_COLLECTION ->
          exchange.served().storage().equals(Resource.NAMESPACES)
              ? notAllowed()
              : deleteCollection(exchange);
      case NONE -> notAllowed();
    };
  }

  /// `/watch/` goes before objects and collections, not before what hangs below an object.
  private static boolean isWatchPath(RequestInfo info) {
    return info.verb().equals(Action.WATCH.verb())
        && info.subresource().isEmpty()
        && info.rest().isEmpty();
  }

  /// A subresource of nothing.
  private static Answer nameless(RequestInfo info) {
    boolean creates = CREATED.contains(info.resource() + "/" + info.subresource());
    boolean served =
        switch (info.action()) {
          case GET, LIST, WATCH -> !creates;
          case UPDATE, PATCH -> !creates && !info.subresource().equals("log");
          case CREATE -> creates;
          case DELETE, DELETE_COLLECTION, NONE -> false;
        };
    if (served) {
      throw ApiException.badRequest("name must be provided");
    }
    return notAllowed();
  }

  /// Namespaced objects live in a namespace; a path that leaves it out serves lists only.
  private static boolean isOutOfScope(RequestInfo info, boolean namespaced) {
    if (namespaced) {
      return info.namespace().isEmpty() && !info.name().isEmpty();
    }
    return !info.namespace().isEmpty() && !info.resource().equals("namespaces");
  }

  private static boolean isRead(RequestInfo info) {
    return info.action() == Action.LIST || info.action() == Action.WATCH;
  }

  private Answer get(Exchange exchange) {
    var info = exchange.info();
    var entry =
        registry.fetch(
            exchange.served(),
            info.namespace(),
            info.name(),
            exchange.call().query().text("resourceVersion"));
    return exchange.answer(200, exchange.view().object(entry));
  }

  private Answer list(Exchange exchange) {
    var options = Options.list(exchange.call().query(), false);
    var page = registry.list(exchange.served(), exchange.namespace(), options);
    exchange.call().visitor().take(Use.ANSWERS, exchange.view().cost(page));
    return exchange.answer(200, exchange.view().list(page));
  }

  private Answer watch(Exchange exchange) {
    var options = Options.watch(exchange.call().query(), exchange.info().name());
    var stream =
        new WatchStream(
            registry, exchange.served(), exchange.namespace(), options, exchange.view());
    stream.check();
    var headers = new ArrayList<Map.Entry<String, String>>();
    headers.add(Map.entry("Content-Type", exchange.view().streamType()));
    exchange.addWarnings(headers);
    return new Answer.Stream(200, headers, stream);
  }

  private Answer create(Exchange exchange) {
    Bodies.checkType(exchange);
    var context = exchange.context(Options.write(exchange.call(), "CreateOptions", false), clock);
    var object = exchange.body(bodies, context);
    return exchange.answer(
        registry.create(exchange.served(), exchange.namespace(), object, context), context);
  }

  private Answer update(Exchange exchange) {
    var info = exchange.info();
    Bodies.checkType(exchange);
    var context = exchange.context(Options.write(exchange.call(), "UpdateOptions", false), clock);
    var object = exchange.body(bodies, context);
    return exchange.answer(
        registry.update(exchange.served(), "", exchange.namespace(), info.name(), object, context),
        context);
  }

  private Answer patch(Exchange exchange) {
    var type = Patches.type(exchange.call(), exchange.served());
    var context =
        exchange.context(
            Options.write(exchange.call(), "PatchOptions", type == Patches.Type.APPLY), clock);
    return exchange.answer(patches.patch(exchange, type, context), context);
  }

  private Answer delete(Exchange exchange) {
    var options = Options.delete(exchange.call(), bodies.deleteOptions(exchange));
    var context = exchange.context(deletion(options.dryRun()), clock);
    return exchange.answer(
        registry.delete(
            exchange.served(), exchange.namespace(), exchange.info().name(), options, context),
        context);
  }

  private Answer deleteCollection(Exchange exchange) {
    var selection = Options.list(exchange.call().query(), false);
    var options = Options.delete(exchange.call(), bodies.deleteOptions(exchange));
    Options.checkCollection(options);
    var context = exchange.context(deletion(options.dryRun()), clock);
    var page =
        registry.deleteCollection(
            exchange.served(), exchange.namespace(), selection, options, context);
    return exchange.answer(200, exchange.view().list(page), context);
  }

  private static WriteOptions deletion(boolean dryRun) {
    return new WriteOptions(dryRun, "", FieldValidation.IGNORE, false);
  }

  static ApiException noSuchResource() {
    return new ApiException(
        404, "NotFound", "the server could not find the requested resource", new Tree());
  }

  static Answer notAllowed() {
    var refusal =
        new ApiException(
            405,
            "MethodNotAllowed",
            "the server does not allow this method on the requested resource",
            new Tree());
    return Answer.of(405, "application/json", Json.write(refusal.status()));
  }
}
