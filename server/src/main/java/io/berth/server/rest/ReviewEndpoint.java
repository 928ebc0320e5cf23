package io.berth.server.rest;

import io.berth.admission.User;
import io.berth.api.ApiException;
import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Kind;
import io.berth.kinds.PlainStrategy;
import io.berth.server.access.Authorizer;
import io.berth.server.access.Authorizer.Decision;
import io.berth.server.access.Authorizer.Request;
import io.berth.server.access.RuleLists;
import io.berth.server.http.Answer;
import io.berth.server.http.Call;
import io.berth.server.identity.Tokens;
import io.berth.server.registry.Context;
import io.berth.server.registry.Outcome;
import io.berth.server.registry.Registry;
import io.berth.server.registry.Served;
import io.berth.server.request.Action;
import io.berth.server.request.FieldSelector;
import io.berth.server.request.Media;
import io.berth.server.request.RequestInfo;
import io.berth.server.view.View;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Resources that are never stored: questions about access and identity, answered on creation.
final class ReviewEndpoint {

  private static final String AUTHORIZATION = "authorization.k8s.io";
  private static final String AUTHENTICATION = "authentication.k8s.io";
  private static final String ONE_OF =
      "exactly one of nonResourceAttributes or resourceAttributes must be specified";
  private static final Map<String, Resource> RESOURCES = resources();

  private final Registry registry;
  private final Authorizer authorizer;
  private final Tokens tokens;
  private final Bodies bodies;
  private final InstantSource clock;

  ReviewEndpoint(
      Registry registry, Authorizer authorizer, Tokens tokens, Bodies bodies, InstantSource clock) {
    this.registry = registry;
    this.authorizer = authorizer;
    this.tokens = tokens;
    this.bodies = bodies;
    this.clock = clock;
  }

  private static Map<String, Resource> resources() {
    var resources = new HashMap<String, Resource>();
    for (var resource :
        List.of(
            new Resource(
                AUTHORIZATION, "v1", "selfsubjectaccessreviews", "SelfSubjectAccessReview", false),
            new Resource(
                AUTHORIZATION, "v1", "selfsubjectrulesreviews", "SelfSubjectRulesReview", false),
            new Resource(AUTHORIZATION, "v1", "subjectaccessreviews", "SubjectAccessReview", false),
            new Resource(
                AUTHORIZATION, "v1", "localsubjectaccessreviews", "LocalSubjectAccessReview", true),
            new Resource(AUTHENTICATION, "v1", "tokenreviews", "TokenReview", false),
            new Resource(AUTHENTICATION, "v1", "selfsubjectreviews", "SelfSubjectReview", false),
            new Resource("", "v1", "bindings", "Binding", true))) {
      resources.put(resource.group() + "/" + resource.plural(), resource);
    }
    return resources;
  }

  boolean serves(RequestInfo info) {
    return info.version().equals("v1")
        && RESOURCES.containsKey(info.group() + "/" + info.resource());
  }

  Answer answer(Call call, RequestInfo info, User user) {
    var resource = RESOURCES.get(info.group() + "/" + info.resource());
    if (resource == null
        || !info.name().isEmpty()
        || info.verbInPath()
        || resource.namespaced() == info.namespace().isEmpty()) {
      throw ResourceEndpoint.noSuchResource();
    }
    if (info.action() != Action.CREATE) {
      return ResourceEndpoint.notAllowed();
    }
    var served = new Served(resource, new Kind(resource, new PlainStrategy(resource)), null);
    var media = Media.negotiateWithoutTables(call.header("accept"));
    var exchange =
        new Exchange(call, info, user, served, new View(served, media, "", clock.instant()));
    var context = exchange.context(Options.write(call, "CreateOptions", false), clock);
    var review = exchange.body(bodies, context);
    try {
      return exchange.answer(
          Outcome.shown(201, reviewed(resource, review, exchange, context)), context);
    } catch (ApiException e) {
      return exchange.refused(e);
    }
  }

  private Tree reviewed(Resource resource, Tree review, Exchange exchange, Context context) {
    review.putIfAbsent("metadata", new Tree());
    return switch (resource.kind()) {
      case "SelfSubjectAccessReview" -> accessReview(resource, review, exchange.user());
      case "SubjectAccessReview" -> accessReview(resource, review, subject(resource, review));
      case "LocalSubjectAccessReview" -> localReview(resource, review, exchange);
      case "SelfSubjectRulesReview" -> rulesReview(review, exchange.user());
      case "SelfSubjectReview" -> selfReview(review, exchange.user(), context);
      case "Binding" -> bind(review, exchange, context);
      default -> tokenReview(review);
    };
  }

  private Tree bind(Tree binding, Exchange exchange, Context context) {
    var name = binding.textOrEmpty("metadata", "name");
    return registry.post(
        registry.catalog().of(Resource.PODS),
        exchange.info().namespace(),
        name,
        "binding",
        binding,
        context);
  }

  private Tree localReview(Resource resource, Tree review, Exchange exchange) {
    var namespace = exchange.info().namespace();
    var asked = review.textOrEmpty("spec", "resourceAttributes", "namespace");
    var errors = new FieldErrors();
    if (!asked.equals(namespace)) {
      errors.invalid(
          FieldPath.of("spec", "resourceAttributes", "namespace"),
          asked,
          "must match metadata.namespace");
    }
    refuse(resource, errors);
    review.child("metadata").put("namespace", namespace);
    return accessReview(resource, review, subject(resource, review));
  }

  private static User subject(Resource resource, Tree review) {
    var spec = review.treeOrEmpty("spec");
    var groups = new ArrayList<String>();
    spec.list("groups").forEach(group -> groups.add(String.valueOf(group)));
    var errors = new FieldErrors();
    checkAttributes(spec, errors);
    if (spec.textOrEmpty("user").isEmpty() && groups.isEmpty()) {
      errors.invalid(
          FieldPath.of("spec", "user"), "", "at least one of user or group must be specified");
    }
    refuse(resource, errors);
    return new User(spec.textOrEmpty("user"), spec.textOrEmpty("uid"), groups, Map.of());
  }

  /// As in Kubernetes, these refusals name the group but not the kind.
  private static void refuse(Resource resource, FieldErrors errors) {
    if (!errors.isEmpty()) {
      var refusal = errors.toException(resource.group(), "", "");
      var details = refusal.details();
      if (details != null) {
        details.remove("kind");
      }
      throw refusal;
    }
  }

  private Tree accessReview(Resource resource, Tree review, User user) {
    var spec = review.treeOrEmpty("spec");
    var errors = new FieldErrors();
    checkAttributes(spec, errors);
    refuse(resource, errors);
    var question =
        question(user, spec.tree("resourceAttributes"), spec.tree("nonResourceAttributes"));
    review.put("status", status(authorizer.decide(question)));
    return review;
  }

  private static void checkAttributes(Tree spec, FieldErrors errors) {
    var asked = spec.tree("resourceAttributes");
    var path = spec.tree("nonResourceAttributes");
    if (asked != null && path != null) {
      errors.invalid(
          FieldPath.of("spec"),
          Tree.of("Path", path.textOrEmpty("path"), "Verb", path.textOrEmpty("verb")),
          ONE_OF);
    } else if (asked == null && path == null) {
      errors.invalid(FieldPath.of("spec"), null, ONE_OF);
    }
  }

  private static Request question(User user, @Nullable Tree asked, @Nullable Tree path) {
    if (asked == null) {
      return Request.ofPath(
          user,
          path == null ? "" : path.textOrEmpty("verb"),
          path == null ? "" : path.textOrEmpty("path"));
    }
    return new Request(
        true,
        user,
        asked.textOrEmpty("verb"),
        asked.textOrEmpty("group"),
        asked.textOrEmpty("version"),
        asked.textOrEmpty("resource"),
        asked.textOrEmpty("subresource"),
        asked.textOrEmpty("namespace"),
        asked.textOrEmpty("name"),
        "",
        selector(asked.treeOrEmpty("fieldSelector")));
  }

  /// What cannot be read narrows nothing: the question is then about more, never about less.
  private static FieldSelector selector(Tree asked) {
    var raw = asked.textOrEmpty("rawSelector");
    if (!raw.isEmpty()) {
      try {
        return FieldSelector.parse(raw);
      } catch (ApiException e) {
        return FieldSelector.ALL;
      }
    }
    var terms = new ArrayList<FieldSelector.Term>();
    for (var each : asked.trees("requirements")) {
      var operator = each.textOrEmpty("operator");
      var values = each.list("values");
      if (values.size() == 1 && (operator.equals("In") || operator.equals("NotIn"))) {
        terms.add(
            new FieldSelector.Term(
                each.textOrEmpty("key"), operator.equals("In"), String.valueOf(values.getFirst())));
      }
    }
    return new FieldSelector(terms);
  }

  private static Tree status(Decision decision) {
    var status = Tree.of("allowed", decision.allowed());
    if (!decision.reason().isEmpty()) {
      status.put("reason", decision.reason());
    }
    return status;
  }

  private Tree rulesReview(Tree review, User user) {
    var namespace = review.textOrEmpty("spec", "namespace");
    if (namespace.isEmpty()) {
      throw ApiException.badRequest("no namespace on request");
    }
    // As in Kubernetes, the answer does not repeat the question.
    review.put("spec", new Tree());
    review.put("status", RuleLists.status(authorizer.rules(user, namespace)));
    return review;
  }

  private static Tree selfReview(Tree review, User user, Context context) {
    review.child("metadata").put("creationTimestamp", Registry.timeOf(context.now()));
    review.put("status", Tree.of("userInfo", userInfo(user)));
    return review;
  }

  private Tree tokenReview(Tree review) {
    if (review.textOrEmpty("spec", "token").isEmpty()) {
      throw ApiException.badRequest("token is required for TokenReview in authentication");
    }
    var audiences = new ArrayList<String>();
    review.list("spec", "audiences").forEach(each -> audiences.add(String.valueOf(each)));
    var wanted = audiences.isEmpty() ? List.of(Tokens.ISSUER) : audiences;
    var user = tokens.find(review.textOrEmpty("spec", "token"), wanted);
    review.put(
        "status",
        user == null
            ? Tree.of("user", new Tree(), "error", "invalid bearer token")
            : Tree.of("authenticated", true, "user", userInfo(user), "audiences", wanted));
    return review;
  }

  private static Tree userInfo(User user) {
    var info = Tree.of("username", user.name());
    if (!user.uid().isEmpty()) {
      info.put("uid", user.uid());
    }
    if (!user.groups().isEmpty()) {
      info.put("groups", user.groups());
    }
    if (!user.extra().isEmpty()) {
      var extra = new Tree();
      user.extra().forEach(extra::put);
      info.put("extra", extra);
    }
    return info;
  }
}
