package io.berth.server.rest;

import io.berth.admission.User;
import io.berth.api.ApiException;
import io.berth.api.Tree;
import io.berth.schema.Decoder;
import io.berth.schema.Types;
import io.berth.server.http.Answer;
import io.berth.server.http.Call;
import io.berth.server.registry.Context;
import io.berth.server.registry.Outcome;
import io.berth.server.registry.Registry;
import io.berth.server.registry.Served;
import io.berth.server.registry.WriteOptions;
import io.berth.server.request.Media;
import io.berth.server.request.RequestInfo;
import io.berth.server.view.View;
import io.berth.server.watch.WatchStream;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Serves resources: one method per verb.
public final class ResourceEndpoint {

  private final Registry registry;
  private final InstantSource clock;
  private final Bodies bodies;

  public ResourceEndpoint(Registry registry, InstantSource clock) {
    this.registry = registry;
    this.clock = clock;
    this.bodies = new Bodies(new Decoder(Types.kubernetes()));
  }

  public Answer answer(Call call, RequestInfo info, User user) {
    var served =
        registry
            .catalog()
            .find(info.group(), info.version(), info.resource())
            .orElseThrow(ResourceEndpoint::noSuchResource);
    boolean collection = info.name().isEmpty() && info.subresource().isEmpty();
    var media = Media.negotiate(call.header("accept"), collection && isRead(info));
    var view = new View(served, media, call.query().text("includeObject"), clock.instant());
    var exchange = new Exchange(call, info, user, served, view);
    return switch (info.verb()) {
      case "get" -> get(exchange);
      case "list" -> list(exchange);
      case "watch" -> watch(exchange);
      case "create" -> create(exchange);
      case "update" -> update(exchange);
      case "delete" -> delete(exchange);
      default -> throw notAllowed();
    };
  }

  private static boolean isRead(RequestInfo info) {
    return info.verb().equals("list") || info.verb().equals("watch");
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
    var page = registry.list(exchange.served(), exchange.info().namespace(), options);
    return exchange.answer(200, exchange.view().list(page));
  }

  private Answer watch(Exchange exchange) {
    var options = Options.watch(exchange.call().query());
    var stream =
        new WatchStream(
            registry, exchange.served(), exchange.info().namespace(), options, exchange.view());
    stream.check();
    return new Answer.Stream(
        200, List.of(Map.entry("Content-Type", exchange.view().contentType())), stream);
  }

  private Answer create(Exchange exchange) {
    var info = exchange.info();
    if (!info.name().isEmpty()) {
      throw notAllowed();
    }
    var context = exchange.context(Options.write(exchange.call(), "CreateOptions", false), clock);
    var object = exchange.body(bodies, context);
    return exchange.answer(
        registry.create(exchange.served(), info.namespace(), object, context), context);
  }

  private Answer update(Exchange exchange) {
    var info = exchange.info();
    var context = exchange.context(Options.write(exchange.call(), "UpdateOptions", false), clock);
    var object = exchange.body(bodies, context);
    return exchange.answer(
        registry.update(
            exchange.served(), info.subresource(), info.namespace(), info.name(), object, context),
        context);
  }

  private Answer delete(Exchange exchange) {
    var info = exchange.info();
    var options = Options.delete(exchange.call(), bodies.deleteOptions(exchange.call()));
    var context =
        exchange.context(
            new WriteOptions(options.dryRun(), "", io.berth.schema.FieldValidation.IGNORE, false),
            clock);
    return exchange.answer(
        registry.delete(exchange.served(), info.namespace(), info.name(), options, context),
        context);
  }

  static ApiException noSuchResource() {
    return new ApiException(
        404, "NotFound", "the server could not find the requested resource", new Tree());
  }

  static ApiException notAllowed() {
    return new ApiException(
        405,
        "MethodNotAllowed",
        "the server does not allow this method on the requested resource",
        new Tree());
  }

  /// One request with all that was found out about it.
  private record Exchange(Call call, RequestInfo info, User user, Served served, View view) {

    Context context(WriteOptions options, InstantSource clock) {
      return new Context(user, clock.instant(), options);
    }

    Tree body(Bodies bodies, Context context) {
      var resource = served.resource();
      var decoded =
          bodies.object(
              call, resource.apiVersion(), resource.kind(), context.options().fieldValidation());
      context.warnAll(decoded.warnings());
      return decoded.tree();
    }

    Answer answer(Outcome outcome, Context context) {
      var entry = outcome.entry();
      var bytes = entry == null ? view.object(outcome.object()) : view.object(entry);
      var headers = new ArrayList<Map.Entry<String, String>>();
      headers.add(Map.entry("Content-Type", view.contentType()));
      for (var warning : context.warnings()) {
        headers.add(Map.entry("Warning", Warnings.header(warning)));
      }
      return new Answer.Whole(outcome.code(), headers, bytes);
    }

    Answer answer(int code, byte[] body) {
      return Answer.of(code, view.contentType(), body);
    }
  }
}
