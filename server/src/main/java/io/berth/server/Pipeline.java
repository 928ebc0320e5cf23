package io.berth.server;

import io.berth.admission.User;
import io.berth.api.ApiException;
import io.berth.api.Tree;
import io.berth.server.access.Authorizer;
import io.berth.server.access.FlowSchemas;
import io.berth.server.aggregation.Aggregator;
import io.berth.server.aggregation.Remote;
import io.berth.server.budget.Use;
import io.berth.server.http.Answer;
import io.berth.server.http.Call;
import io.berth.server.http.Endpoint;
import io.berth.server.identity.Authenticator;
import io.berth.server.identity.Impersonation;
import io.berth.server.registry.Uids;
import io.berth.server.request.Action;
import io.berth.server.request.FieldSelector;
import io.berth.server.request.RequestInfo;
import io.berth.server.request.Timeout;
import io.berth.server.rest.Refusals;
import io.berth.server.rest.ResourceEndpoint;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One request from top to bottom: who asks, may they, what is the answer; errors become `Status`.
final class Pipeline implements Endpoint {

  private static final Logger LOG = LoggerFactory.getLogger(Pipeline.class);

  private final Authenticator authenticator;
  private final Impersonation impersonation;
  private final Authorizer authorizer;
  private final ResourceEndpoint resources;
  private final PathEndpoint paths;
  private final Aggregator aggregator;
  private final Audit audit;
  private final Metrics metrics;
  private final Lanes lanes;
  private final FlowSchemas flows;
  private volatile Annex annex = Annex.NONE;

  Pipeline(
      Authenticator authenticator,
      Authorizer authorizer,
      ResourceEndpoint resources,
      PathEndpoint paths,
      Aggregator aggregator,
      Audit audit,
      Lanes lanes,
      FlowSchemas flows,
      Metrics metrics) {
    this.flows = flows;
    this.lanes = lanes;
    this.authenticator = authenticator;
    this.impersonation = new Impersonation(authorizer);
    this.authorizer = authorizer;
    this.resources = resources;
    this.paths = paths;
    this.aggregator = aggregator;
    this.audit = audit;
    this.metrics = metrics;
  }

  void add(Annex other) {
    annex = other;
  }

  @Override
  public Answer answer(Call call) {
    var begin = Instant.now();
    long start = System.nanoTime();
    var given = call.header("audit-id");
    var id = given.isEmpty() ? Uids.next() : given;
    var info = RequestInfo.parse(call.method(), call.path(), call.query());
    User caller = null;
    Authorizer.Request question = null;
    Answer answer;
    try {
      Timeout.check(info, call.query());
      boolean beside = annex.serves(info.path());
      caller = beside ? annex.caller(call, info) : authenticator.authenticate(call);
      if (Authenticator.isKnown(caller)) {
        call.visitor().isKnownAs(caller.name());
      }
      call.visitor().take(Use.HEADS, call.headBytes());
      question = question(impersonation.actingAs(caller, call), info, call);
      answer = beside ? beside(call, info, question.user()) : serve(call, info, question);
    } catch (ApiException e) {
      answer = Refusals.answer(e, call);
    } catch (RuntimeException | StackOverflowError e) {
      // What a request makes too deep ends the request, and is told and audited like the rest.
      LOG.error("{} {} failed", call.method(), call.path(), e);
      answer = Refusals.answer(internalError(e));
    }
    metrics.served(info, answer.code(), System.nanoTime() - start);
    audit.write(call, caller, info, id, answer.code(), begin);
    return withHeaders(id, question, answer);
  }

  /// Whoever may not ask is told so at once. What takes as long as the client likes is waited for
  /// before a place is taken that others could use.
  private Answer serve(Call call, RequestInfo info, Authorizer.Request question) {
    var owner = call.visitor().owner();
    authorizer.check(question);
    var remote = aggregator.find(info);
    if (remote != null) {
      return forward(remote, call, info, question.user());
    }
    if (!info.isResource()) {
      try (var _ = lanes.enter(info, owner)) {
        return paths.answer(call, info);
      }
    }
    if (info.path().startsWith("//") || info.path().startsWith("/apis//")) {
      return PathEndpoint.pageNotFound();
    }
    if (!paths.knows(info)) {
      return paths.nothingAt(info);
    }
    if (Lanes.isWrite(info)) {
      var _ = call.body().read();
    }
    long future = resources.revisionToCome(call, info);
    if (future > 0) {
      call.visitor().rest();
      try (var _ = lanes.await(owner)) {
        resources.await(future);
      }
      call.visitor().work();
    }
    try (var _ = lanes.enter(info, owner)) {
      return lanes.counted(resources.answer(call, info, question.user()), owner);
    }
  }

  private Answer beside(Call call, RequestInfo info, User user) {
    if (info.action() != Action.GET) {
      boolean known = Authenticator.isKnown(user);
      var _ = call.body().read(known ? Limits.BODY_BYTES : Limits.STRANGE_BODY_BYTES);
    }
    var owner = call.visitor().owner();
    try (var _ = lanes.enter(info, owner)) {
      return lanes.counted(annex.answer(call, info, user), owner);
    }
  }

  private Answer forward(Remote remote, Call call, RequestInfo info, User user) {
    if (Lanes.isWrite(info)) {
      var _ = call.body().read();
    }
    var owner = call.visitor().owner();
    try (var _ = lanes.forward(owner)) {
      return lanes.countedRemote(aggregator.forward(remote, call, info, user), owner);
    }
  }

  private static Authorizer.Request question(User user, RequestInfo info, Call call) {
    if (!info.isResource()) {
      return Authorizer.Request.ofPath(user, info.verb(), info.path());
    }
    var selector = selector(info, call);
    return new Authorizer.Request(
        true,
        user,
        info.verb(),
        info.group(),
        info.version(),
        info.resource(),
        info.subresource(),
        info.namespace(),
        nameAsked(info, selector),
        info.path(),
        selector);
  }

  /// A list or watch of one name by field selector counts as a request for that name.
  private static String nameAsked(RequestInfo info, FieldSelector selector) {
    var name = selector.required("metadata.name");
    boolean read = info.verb().equals("list") || info.verb().equals("watch");
    return name == null || !info.name().isEmpty() || !read || !isSegment(name) ? info.name() : name;
  }

  private static boolean isSegment(String name) {
    return !name.equals(".") && !name.equals("..") && !name.contains("/") && !name.contains("%");
  }

  /// The field selector of a request for many objects; one that makes no sense selects nothing here
  /// and is refused later. As in Kubernetes, it does not count where the path names the verb.
  private static FieldSelector selector(RequestInfo info, Call call) {
    var text = call.query().text("fieldSelector");
    boolean many =
        switch (info.verb()) {
          case "list", "watch", "deletecollection" -> !info.verbInPath();
          default -> false;
        };
    if (!many || text.isEmpty()) {
      return FieldSelector.ALL;
    }
    try {
      return FieldSelector.parse(text);
    } catch (ApiException e) {
      return FieldSelector.ALL;
    }
  }

  private static ApiException internalError(Throwable e) {
    var cause = Tree.of("message", String.valueOf(e.getMessage()));
    return new ApiException(
        500,
        "InternalError",
        "Internal error occurred: " + e.getMessage(),
        Tree.of("causes", java.util.List.of(cause)));
  }

  private Answer withHeaders(String id, Authorizer.@Nullable Request question, Answer answer) {
    var headers = new ArrayList<>(answer.headers());
    headers.add(Map.entry("Audit-Id", id));
    if (headers.stream().noneMatch(header -> header.getKey().equals("Cache-Control"))) {
      headers.add(Map.entry("Cache-Control", "no-cache, private"));
    }
    var flow = question == null ? null : flows.of(question);
    if (flow != null) {
      headers.add(Map.entry("X-Kubernetes-Pf-Flowschema-Uid", flow.schema()));
      headers.add(Map.entry("X-Kubernetes-Pf-Prioritylevel-Uid", flow.level()));
    }
    return switch (answer) {
      case Answer.Whole whole -> new Answer.Whole(whole.code(), headers, whole.pieces());
      case Answer.Stream stream -> new Answer.Stream(stream.code(), headers, stream.frames());
    };
  }
}
