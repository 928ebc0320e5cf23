package io.berth.server.rest;

import io.berth.admission.User;
import io.berth.api.ApiException;
import io.berth.api.Tree;
import io.berth.server.http.Answer;
import io.berth.server.http.Call;
import io.berth.server.http.Pieces;
import io.berth.server.registry.Context;
import io.berth.server.registry.Outcome;
import io.berth.server.registry.Served;
import io.berth.server.registry.WriteOptions;
import io.berth.server.request.RequestInfo;
import io.berth.server.view.View;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// One request to a resource, with all that was found out about it.
final class Exchange {

  private final Call call;
  private final RequestInfo info;
  private final User user;
  private final Served served;
  private final View view;
  private final List<String> warnings = new ArrayList<>();
  private @Nullable Context context;

  Exchange(Call call, RequestInfo info, User user, Served served, View view) {
    this.call = call;
    this.info = info;
    this.user = user;
    this.served = served;
    this.view = view;
  }

  Call call() {
    return call;
  }

  RequestInfo info() {
    return info;
  }

  User user() {
    return user;
  }

  Served served() {
    return served;
  }

  View view() {
    return view;
  }

  /// The namespace of the objects asked for; a namespace itself is in none.
  String namespace() {
    return served.resource().namespaced() ? info.namespace() : "";
  }

  void warnOfDeprecation() {
    if (served.resource().group().isEmpty() && served.resource().plural().equals("endpoints")) {
      warnings.add("v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice");
    }
    if (served.resource().kind().equals("ComponentStatus")) {
      warnings.add("v1 ComponentStatus is deprecated in v1.19+");
    }
    var custom = served.custom();
    if (custom != null && !custom.deprecation().isEmpty()) {
      warnings.add(custom.deprecation());
    }
  }

  Context context(WriteOptions options, InstantSource clock) {
    var made = new Context(user, clock.instant(), options);
    made.warnAll(warnings);
    warnings.clear();
    context = made;
    return made;
  }

  /// A refusal; what the client was to be warned of, it hears all the same.
  Answer refused(ApiException refusal) {
    if (context != null) {
      warnings.addAll(context.warnings());
      call.auditAnnotations().putAll(context.annotations());
    }
    var answer = Refusals.answer(refusal, view.contentType().equals("application/yaml"));
    addWarnings(answer.headers());
    return answer;
  }

  Tree body(Bodies bodies, Context context) {
    var resource = served.resource();
    var custom = served.custom();
    if (custom == null) {
      return body(bodies, resource.apiVersion(), resource.kind(), context);
    }
    var decoded = Bodies.custom(call, custom.objects(), context.options().fieldValidation());
    context.warnAll(decoded.warnings());
    return decoded.tree();
  }

  Tree body(Bodies bodies, String apiVersion, String kind, Context context) {
    var decoded = bodies.object(call, apiVersion, kind, context.options().fieldValidation());
    context.warnAll(decoded.warnings());
    return decoded.tree();
  }

  Answer answer(Outcome outcome, Context context) {
    var entry = outcome.entry();
    var bytes = entry == null ? view.object(outcome.object()) : view.object(entry);
    return answer(outcome.code(), Pieces.of(bytes), context);
  }

  Answer answer(int code, Pieces body, Context context) {
    warnings.addAll(context.warnings());
    call.auditAnnotations().putAll(context.annotations());
    return answer(code, body);
  }

  Answer answer(int code, byte[] body) {
    return answer(code, Pieces.of(body));
  }

  Answer answer(int code, Pieces body) {
    var headers = new ArrayList<Map.Entry<String, String>>();
    headers.add(Map.entry("Content-Type", view.contentType()));
    addWarnings(headers);
    return new Answer.Whole(code, headers, body);
  }

  void addWarnings(List<Map.Entry<String, String>> headers) {
    for (var header : Warnings.headers(warnings)) {
      headers.add(Map.entry("Warning", header));
    }
  }
}
