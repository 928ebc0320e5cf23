package io.berth.server.registry;

import io.berth.api.ApiException;
import io.berth.api.FieldError;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.server.Limits;
import io.berth.server.request.FieldSelector;
import io.berth.store.CompactedException;
import io.berth.store.Entry;
import io.berth.store.Index;
import io.berth.store.Key;
import io.berth.store.Listing;
import io.berth.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Predicate;

/// Reads of one object and of many, at the revision the caller asks for.
final class Reads {

  private final Store store;

  Reads(Store store) {
    this.store = store;
  }

  Entry fetch(Served served, String namespace, String name, String resourceVersion) {
    awaitRevision(revision(resourceVersion, false));
    return store
        .find(served.key(namespace, name))
        .orElseThrow(() -> ApiException.notFound(served.resource(), name));
  }

  Page list(Served served, String namespace, ListOptions options) {
    var fields = checked(served, options.fields());
    var token = options.continueToken();
    if (token != null) {
      if (!options.resourceVersion().isEmpty() && !options.resourceVersion().equals("0")) {
        throw ApiException.badRequest(
            "specifying resource version is not allowed when using continue");
      }
      return next(
          served,
          namespace,
          options.resourceVersion().equals("0") ? options.unlimited() : options,
          fields,
          ContinueToken.decode(token, served.storage().namespaced() && namespace.isEmpty()));
    }
    long revision = revision(options.resourceVersion(), true);
    awaitRevision(revision);
    // As in Kubernetes, a list from any state (`resourceVersion=0`) is not cut into pages.
    long limit = options.resourceVersion().equals("0") ? 0 : options.limit();
    return page(
        served,
        namespace,
        options,
        fields,
        limit,
        isExact(options)
            ? most -> at(served, namespace, revision, most)
            : most -> latest(served, namespace, fields, most));
  }

  /// As in Kubernetes, a page of a given revision is of exactly that revision, also when the caller
  /// does not say so: the pages behind it are.
  private static boolean isExact(ListOptions options) {
    var version = options.resourceVersion();
    return switch (options.match()) {
      case EXACT -> true;
      case NOT_OLDER_THAN -> false;
      case UNSET -> options.limit() > 0 && !version.isEmpty() && !version.equals("0");
    };
  }

  /// The page behind a token, as of the revision of the first page. When that is too old, the
  /// answer holds a token to go on with what is there now.
  private Page next(
      Served served,
      String namespace,
      ListOptions options,
      FieldSelector fields,
      ContinueToken token) {
    var after = served.key(namespace.isEmpty() ? token.namespace() : namespace, token.name());
    long revision = token.revision() < 0 ? store.revision() : token.revision();
    try {
      return page(
          served,
          namespace,
          options,
          fields,
          options.limit(),
          most -> store.listAt(served.range(namespace), revision, after, most));
    } catch (CompactedException e) {
      throw expired(
              "The provided continue parameter is too old to display a consistent list result. You"
                  + " can start a new list without the continue parameter, or use the continue"
                  + " token in this response to retrieve the remainder of the results. Continuing"
                  + " with the provided token results in an inconsistent list - objects that were"
                  + " created, modified, or deleted between the time the first chunk was returned"
                  + " and now may show up in the list.")
          .withContinue(token.inconsistent().encode());
    }
  }

  /// Without selectors the store cuts the page; with them, objects are read until it is full.
  private static Page page(
      Served served,
      String namespace,
      ListOptions options,
      FieldSelector fields,
      long limit,
      IntFunction<Listing> read) {
    boolean whole = options.selectsAll();
    boolean cut = limit > 0 && whole;
    var listing = read.apply(cut ? (int) Math.min(limit, Integer.MAX_VALUE) : Integer.MAX_VALUE);
    if (whole) {
      return listing.remaining() == 0 || !cut
          ? new Page(listing.revision(), listing.entries(), null, -1)
          : new Page(
              listing.revision(),
              listing.entries(),
              token(listing.revision(), namespace, listing.entries().getLast().key()),
              listing.remaining());
    }
    var chosen = new ArrayList<Entry>();
    var matches = shownMatcher(served, options, fields);
    var shown = served.judgesServed() ? served.presentAll(listing.entries()) : List.<Tree>of();
    for (int i = 0; i < listing.entries().size(); i++) {
      var entry = listing.entries().get(i);
      if (!matches.test(shown.isEmpty() ? entry.object() : shown.get(i))) {
        continue;
      }
      chosen.add(entry);
      // As in Kubernetes, a full page does not know whether anything behind it will match.
      if (chosen.size() == limit && i + 1 < listing.entries().size()) {
        var token = token(listing.revision(), namespace, entry.key());
        return new Page(listing.revision(), chosen, token, -1);
      }
    }
    return new Page(listing.revision(), chosen, null, -1);
  }

  private static String token(long revision, String namespace, Key last) {
    return new ContinueToken(revision, namespace.isEmpty() ? last.namespace() : "", last.name())
        .encode();
  }

  /// Whether a stored object is selected.
  static Predicate<Tree> matcher(Served served, ListOptions options, FieldSelector fields) {
    if (options.labels().isAll() && fields.isAll()) {
      return _ -> true;
    }
    var matches = shownMatcher(served, options, fields);
    return served.judgesServed() ? stored -> matches.test(served.present(stored)) : matches;
  }

  private static Predicate<Tree> shownMatcher(
      Served served, ListOptions options, FieldSelector fields) {
    return object ->
        (options.labels().isAll() || options.labels().matches(object.texts("metadata", "labels")))
            && (fields.isAll() || fields.matches(values(served, object)));
  }

  private static Function<String, String> values(Served served, Tree object) {
    var strategy = served.kind().strategy();
    return label ->
        switch (label) {
          case "metadata.name" -> object.textOrEmpty("metadata", "name");
          case "metadata.namespace" -> object.textOrEmpty("metadata", "namespace");
          default -> strategy.fieldValue(object, label);
        };
  }

  /// Refuses fields this kind cannot select by.
  static FieldSelector checked(Served served, FieldSelector fields) {
    var strategy = served.kind().strategy();
    for (var term : fields.terms()) {
      var label = term.field();
      if (label.equals("metadata.name")
          || label.equals("metadata.namespace")
          || strategy.fieldLabels().contains(label)) {
        continue;
      }
      var own = strategy.unknownFieldLabel(label);
      throw ApiException.badRequest(
          strategy.convertsFieldLabels()
              ? own
              : "%s is not a known field selector: only \"metadata.name\", \"metadata.namespace\""
                  .formatted(FieldError.quoted(label)));
    }
    return fields;
  }

  /// A list that names its object, or the node of its pods, does not read the others.
  private Listing latest(Served served, String namespace, FieldSelector fields, int most) {
    var name = fields.required("metadata.name");
    if (name != null && (!namespace.isEmpty() || !served.storage().namespaced())) {
      return store.list(served.key(namespace, name));
    }
    var range = served.range(namespace);
    var node = fields.required("spec.nodeName");
    if (node != null && !node.isEmpty() && served.storage().equals(Resource.PODS)) {
      return store.listBy(Index.PODS_BY_NODE, node, range);
    }
    var object = fields.required("involvedObject.uid");
    if (object != null && !object.isEmpty() && served.storage().plural().equals("events")) {
      return store.listBy(Index.EVENTS_BY_OBJECT, object, range);
    }
    return store.list(range, most);
  }

  private Listing at(Served served, String namespace, long revision, int most) {
    try {
      return store.listAt(served.range(namespace), revision, null, most);
    } catch (CompactedException e) {
      throw expired("The resourceVersion for the provided list is too old.");
    }
  }

  /// The revision in an option: 0 for none. Lists refuse what is no number with 400, others 500.
  static long revision(String text, boolean list) {
    if (text.isEmpty() || text.equals("0")) {
      return 0;
    }
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) < '0' || text.charAt(i) > '9' || i > 18) {
        var why =
            "resourceVersion: Invalid value: %s: strconv.ParseUint: parsing %s: invalid syntax"
                .formatted(FieldError.quoted(text), FieldError.quoted(text));
        throw list
            ? ApiException.badRequest("invalid resource version: " + why)
            : new ApiException(500, "", why);
      }
    }
    return Long.parseLong(text);
  }

  /// Waits a little for a revision that is not there yet.
  void awaitRevision(long wanted) {
    try {
      if (wanted > store.revision() && !store.awaitRevision(wanted, Limits.FUTURE_REVISION)) {
        throw tooLarge(wanted);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw tooLarge(wanted);
    }
  }

  private ApiException tooLarge(long wanted) {
    var cause =
        Tree.of("reason", "ResourceVersionTooLarge", "message", "Too large resource version");
    var details = Tree.of("causes", List.of(cause), "retryAfterSeconds", 1);
    return new ApiException(
        504,
        "Timeout",
        "Timeout: Too large resource version: %d, current: %d".formatted(wanted, store.revision()),
        details);
  }

  static ApiException expired(String message) {
    return new ApiException(410, "Expired", message);
  }
}
