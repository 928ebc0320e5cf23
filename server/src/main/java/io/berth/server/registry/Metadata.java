package io.berth.server.registry;

import io.berth.api.ApiException;
import io.berth.api.Chance;
import io.berth.api.Resource;
import io.berth.api.Tree;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/// The part of `metadata` that the server owns.
final class Metadata {

  private static final String MANAGED_FIELDS = "managedFields";
  private static final String NAME_LETTERS = "bcdfghjklmnpqrstvwxz2456789";
  private static final int MAX_BASE = 58;
  private static final int SUFFIX = 5;
  private static final SecureRandom RANDOM = new SecureRandom();

  private Metadata() {}

  /// Puts the object into the namespace of the request, or refuses one that says otherwise.
  static void placeIn(String namespace, Resource resource, Tree object) {
    var meta = object.child("metadata");
    if (!resource.namespaced()) {
      meta.remove("namespace");
      return;
    }
    checkPlace(namespace, object);
    meta.put("namespace", namespace);
  }

  /// Refuses an object that says it is in another namespace.
  static void checkPlace(String namespace, Tree object) {
    var own = object.textOrEmpty("metadata", "namespace");
    if (!own.isEmpty() && !own.equals(namespace)) {
      throw ApiException.badRequest(
          "the namespace of the provided object does not match the namespace sent on the request");
    }
  }

  /// Gives a new object its identity; what the caller wrote there is overwritten.
  static void initialize(Tree object, Instant now) {
    var meta = object.child("metadata");
    meta.remove("deletionTimestamp");
    meta.remove("deletionGracePeriodSeconds");
    meta.remove("selfLink");
    meta.put("uid", Uids.next());
    meta.put("creationTimestamp", time(now));
  }

  /// Keeps one of several equal owner references and warns of the others.
  static void dropDoubleOwners(Tree object, boolean admitted, Context context) {
    var owners = object.trees("metadata", "ownerReferences");
    var kept = new LinkedHashSet<>(owners);
    if (kept.size() == owners.size()) {
      return;
    }
    var doubles = new ArrayList<>(owners);
    kept.forEach(doubles::remove);
    object.child("metadata").put("ownerReferences", new ArrayList<>(kept));
    context.warn(
        (".metadata.ownerReferences contains duplicate entries%s; API server dedups owner"
                + " references in 1.20+, and may reject such requests as early as 1.24; please fix"
                + " your requests; duplicate UID(s) observed: %s")
            .formatted(
                admitted ? " after mutating admission happens" : "",
                doubles.stream()
                    .map(each -> each.textOrEmpty("uid"))
                    .collect(Collectors.joining(", "))));
  }

  /// Keeps the times of managed fields where nothing else has changed. As in Kubernetes such a
  /// write is none: admission may have put back what the caller changed, which its owners cannot
  /// know.
  static void keepTimes(Tree object, Tree old) {
    var times = old.at("metadata", MANAGED_FIELDS);
    var newer = object.at("metadata", MANAGED_FIELDS);
    if (times == null
        || times.equals(newer)
        || !differInTimesAlone(
            object.trees("metadata", MANAGED_FIELDS), old.trees("metadata", MANAGED_FIELDS))) {
      return;
    }
    object.child("metadata").put(MANAGED_FIELDS, times);
    if (!object.equals(old)) {
      object.child("metadata").put(MANAGED_FIELDS, newer);
    }
  }

  private static boolean differInTimesAlone(List<Tree> some, List<Tree> others) {
    if (some.size() != others.size()) {
      return false;
    }
    for (int i = 0; i < some.size(); i++) {
      if (!covers(some.get(i), others.get(i)) || !covers(others.get(i), some.get(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean covers(Tree entry, Tree other) {
    for (var name : other.names()) {
      if (!name.equals("time") && !Objects.equals(entry.get(name), other.get(name))) {
        return false;
      }
    }
    return true;
  }

  static boolean generatesName(Tree object) {
    return object.textOrEmpty("metadata", "name").isEmpty()
        && !object.textOrEmpty("metadata", "generateName").isEmpty();
  }

  static String generatedName(String base) {
    var name = new StringBuilder(base.length() > MAX_BASE ? base.substring(0, MAX_BASE) : base);
    var random = Chance.or(RANDOM);
    for (int i = 0; i < SUFFIX; i++) {
      name.append(NAME_LETTERS.charAt(random.nextInt(NAME_LETTERS.length())));
    }
    return name.toString();
  }

  /// The object with kind, version and metadata first: lists cut the first two off its bytes.
  static Tree ordered(Tree object) {
    var names = object.names().iterator();
    if (names.hasNext()
        && names.next().equals("kind")
        && names.hasNext()
        && names.next().equals("apiVersion")) {
      return object;
    }
    var ordered = new Tree();
    for (var name : List.of("kind", "apiVersion", "metadata")) {
      ordered.put(name, object.get(name));
    }
    object.fields().forEach(ordered::put);
    return ordered;
  }

  static String time(Instant at) {
    return at.truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
