package io.berth.server.rest;

import io.berth.api.ApiException;
import io.berth.api.FieldError;
import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Tree;
import io.berth.schema.FieldValidation;
import io.berth.server.Limits;
import io.berth.server.http.Call;
import io.berth.server.registry.DeleteOptions;
import io.berth.server.registry.ListOptions;
import io.berth.server.registry.WriteOptions;
import io.berth.server.request.FieldSelector;
import io.berth.server.request.LabelSelector;
import io.berth.server.request.Query;
import io.berth.server.watch.WatchOptions;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/// Query parameters of requests to resources, checked and worded as Kubernetes does.
final class Options {

  private static final String UNSAFE = "ignoreStoreReadErrorWithClusterBreakingPotential";
  private static final String GROUP = "meta.k8s.io";
  private static final int MAX_MANAGER = 128;

  private Options() {}

  static ListOptions list(Query query, boolean watch) {
    long limit = number(query, "limit");
    number(query, "timeoutSeconds");
    var labels = LabelSelector.parse(query.text("labelSelector"));
    var fields = FieldSelector.parse(query.text("fieldSelector"));
    var match = query.text("resourceVersionMatch");
    var version = query.text("resourceVersion");
    var token = query.text("continue");
    checkMatch(match, version, token, query, watch);
    return new ListOptions(
        labels,
        fields,
        limit,
        token.isEmpty() ? null : token,
        version,
        switch (match) {
          case "Exact" -> ListOptions.Match.EXACT;
          case "NotOlderThan" -> ListOptions.Match.NOT_OLDER_THAN;
          default -> ListOptions.Match.UNSET;
        });
  }

  private static void checkMatch(
      String match, String version, String token, Query query, boolean watch) {
    var path = FieldPath.of("resourceVersionMatch");
    var errors = new FieldErrors();
    // As in Kubernetes, a path that says `watch` is checked as a list, unless the query says it
    // too.
    if (watch && query.flag("watch")) {
      checkWatchMatch(match, version, token, query, errors);
    } else {
      checkListMatch(match, version, token, query, path, errors);
    }
    if (!errors.isEmpty()) {
      throw errors.toException(GROUP, "ListOptions", "");
    }
  }

  private static void checkListMatch(
      String match, String version, String token, Query query, FieldPath path, FieldErrors errors) {
    if (!match.isEmpty()) {
      checkListMatch(match, version, token, path, errors);
    }
    if (initialEvents(query) != null) {
      errors.forbidden(
          FieldPath.of("sendInitialEvents"), "sendInitialEvents is forbidden for list");
    }
  }

  private static void checkListMatch(
      String match, String version, String token, FieldPath path, FieldErrors errors) {
    if (version.isEmpty()) {
      errors.forbidden(
          path, "resourceVersionMatch is forbidden unless resourceVersion is provided");
    }
    if (!token.isEmpty()) {
      errors.forbidden(path, "resourceVersionMatch is forbidden when continue is provided");
    }
    if (!match.equals("Exact") && !match.equals("NotOlderThan")) {
      errors.notSupported(path, match, List.of("Exact", "NotOlderThan", ""));
    }
    if (match.equals("Exact") && version.equals("0")) {
      errors.forbidden(
          path, "resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\"");
    }
  }

  private static void checkWatchMatch(
      String match, String version, String token, Query query, FieldErrors errors) {
    var path = FieldPath.of("resourceVersionMatch");
    boolean notOlder = match.equals("NotOlderThan");
    if (initialEvents(query) != null) {
      if (!notOlder) {
        errors.forbidden(
            path, "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan");
      }
    } else if (!match.isEmpty()) {
      errors.forbidden(
          path, "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided");
    }
    if (!match.isEmpty() && !notOlder) {
      errors.notSupported(path, match, List.of("NotOlderThan"));
    }
    // A watch from any state is one with initial events, and so has a match.
    boolean matches = !match.isEmpty() || version.isEmpty() || version.equals("0");
    if (!token.isEmpty() && matches) {
      errors.forbidden(path, "resourceVersionMatch is forbidden when continue is provided");
    }
  }

  /// As in Go, a word that is no truth value counts as false.
  private static @Nullable Boolean initialEvents(Query query) {
    return query.has("sendInitialEvents") ? query.flag("sendInitialEvents") : null;
  }

  /// A watch below one object's path selects that object by name.
  static WatchOptions watch(Query query, String name) {
    var selection = name.isEmpty() ? list(query, true) : list(query, true).withName(name);
    long seconds = number(query, "timeoutSeconds");
    var timeout =
        seconds > 0
            ? Duration.ofSeconds(seconds)
            : Duration.ofMillis(
                Limits.WATCH.toMillis()
                    + ThreadLocalRandom.current().nextLong(Limits.WATCH.toMillis()));
    return new WatchOptions(
        selection, query.flag("allowWatchBookmarks"), initialEvents(query), timeout);
  }

  private static long number(Query query, String name) {
    var text = query.text(name);
    if (text.isEmpty()) {
      return 0;
    }
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw ApiException.badRequest(
          "strconv.ParseInt: parsing %s: invalid syntax".formatted(FieldError.quoted(text)));
    }
  }

  /// `kind` is `CreateOptions`, `UpdateOptions` or `PatchOptions`.
  static WriteOptions write(Call call, String kind, boolean apply) {
    var query = call.query();
    var errors = new FieldErrors();
    var manager = query.text("fieldManager");
    if (manager.length() > MAX_MANAGER) {
      errors.tooLong(FieldPath.of("fieldManager"), MAX_MANAGER);
    }
    checkPrintable(manager, errors);
    checkDryRun(query, errors);
    var validation = query.text("fieldValidation");
    if (!List.of("", "Ignore", "Warn", "Strict").contains(validation)) {
      errors.notSupported(
          FieldPath.of("fieldValidation"), validation, List.of("", "Ignore", "Strict", "Warn"));
    }
    if (kind.equals("PatchOptions")) {
      checkPatch(query, manager, apply, errors);
    }
    if (!errors.isEmpty()) {
      throw errors.toException(GROUP, kind, "");
    }
    return new WriteOptions(
        isDryRun(query),
        manager.isEmpty() ? agent(call) : manager,
        switch (validation) {
          case "Ignore" -> FieldValidation.IGNORE;
          case "Strict" -> FieldValidation.STRICT;
          default -> FieldValidation.WARN;
        },
        query.flag("force"));
  }

  private static void checkPrintable(String manager, FieldErrors errors) {
    int position = 0;
    for (int c : manager.codePoints().toArray()) {
      if (!FieldError.isPrintable(c)) {
        errors.invalid(
            FieldPath.of("fieldManager"),
            manager,
            "invalid character U+%04X (at position %d)".formatted(c, position));
        return;
      }
      position += Character.toString(c).getBytes(StandardCharsets.UTF_8).length;
    }
  }

  private static void checkPatch(Query query, String manager, boolean apply, FieldErrors errors) {
    if (apply && manager.isEmpty()) {
      errors.required(FieldPath.of("fieldManager"), "is required for apply patch");
    }
    if (!apply && query.has("force")) {
      errors.forbidden(FieldPath.of("force"), "may not be specified for non-apply patch");
    }
  }

  private static void checkDryRun(Query query, FieldErrors errors) {
    for (var value : query.texts("dryRun")) {
      if (!value.equals("All")) {
        errors.notSupported(FieldPath.of("dryRun"), query.texts("dryRun"), List.of("All"));
        return;
      }
    }
  }

  private static boolean isDryRun(Query query) {
    return query.texts("dryRun").contains("All");
  }

  /// The manager of fields written by a client that does not say: its name without its version.
  private static String agent(Call call) {
    var agent = call.header("user-agent");
    int slash = agent.indexOf('/');
    var name = slash < 0 ? agent : agent.substring(0, slash);
    return name.length() > MAX_MANAGER ? name.substring(0, MAX_MANAGER) : name;
  }

  /// Options of a deletion: the body wins over the query.
  static DeleteOptions delete(Call call, @Nullable Tree body) {
    var query = call.query();
    var options = body == null ? fromQuery(query) : DeleteOptions.of(body, false);
    var errors = new FieldErrors();
    var policy = options.propagation();
    if (policy != null && options.orphanDependents() != null) {
      errors.invalid(
          FieldPath.of("propagationPolicy"),
          policy,
          "orphanDependents and deletionPropagation cannot be both set");
    }
    if (policy != null && !List.of("Foreground", "Background", "Orphan").contains(policy)) {
      errors.notSupported(
          FieldPath.of("propagationPolicy"),
          policy,
          List.of("Foreground", "Background", "Orphan", "nil"));
    }
    if (body == null) {
      checkDryRun(query, errors);
    } else {
      for (var value : body.list("dryRun")) {
        if (!"All".equals(value)) {
          errors.notSupported(FieldPath.of("dryRun"), body.list("dryRun"), List.of("All"));
        }
      }
    }
    if (options.unsafe()) {
      checkUnsafe(options, body, errors);
    }
    if (!errors.isEmpty()) {
      throw errors.toException(GROUP, "DeleteOptions", "");
    }
    return options;
  }

  /// What cannot be read is deleted as it is.
  private static void checkUnsafe(DeleteOptions options, @Nullable Tree body, FieldErrors errors) {
    boolean preconditions =
        options.uid() != null
            || options.resourceVersion() != null
            || (body != null && body.get("preconditions") != null);
    var others = new LinkedHashMap<String, Boolean>();
    others.put("propagationPolicy", options.propagation() != null);
    others.put("orphanDependents", options.orphanDependents() != null);
    others.put("gracePeriodSeconds", options.graceSeconds() != null);
    others.put("preconditions", preconditions);
    others.forEach((name, set) -> {
      if (set) {
        errors.invalid(FieldPath.of(UNSAFE), true, "cannot be set together with ." + name);
      }
    });
  }

  /// Objects that cannot be read are deleted one by one or not at all.
  static void checkCollection(DeleteOptions options) {
    if (options.unsafe()) {
      var errors = new FieldErrors();
      errors.invalid(
          FieldPath.of(UNSAFE),
          true,
          "is not allowed with DELETECOLLECTION, try again after removing the option");
      throw errors.toException(GROUP, "DeleteOptions", "");
    }
  }

  private static DeleteOptions fromQuery(Query query) {
    return new DeleteOptions(
        query.text("gracePeriodSeconds").isEmpty() ? null : number(query, "gracePeriodSeconds"),
        query.text("uid").isEmpty() ? null : query.text("uid"),
        query.text("resourceVersion").isEmpty() ? null : query.text("resourceVersion"),
        query.text("propagationPolicy").isEmpty() ? null : query.text("propagationPolicy"),
        query.has("orphanDependents") ? query.flag("orphanDependents") : null,
        isDryRun(query),
        query.flag(UNSAFE));
  }
}
