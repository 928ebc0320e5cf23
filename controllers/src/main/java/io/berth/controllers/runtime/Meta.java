package io.berth.controllers.runtime;

import io.berth.api.Resource;
import io.berth.api.Tree;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reads the metadata every object has.
public final class Meta {

  private static final DateTimeFormatter MICROS =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

  private Meta() {}

  public static String name(Tree object) {
    return object.textOrEmpty("metadata", "name");
  }

  public static String namespace(Tree object) {
    return object.textOrEmpty("metadata", "namespace");
  }

  public static String uid(Tree object) {
    return object.textOrEmpty("metadata", "uid");
  }

  public static String revision(Tree object) {
    return object.textOrEmpty("metadata", "resourceVersion");
  }

  public static long generation(Tree object) {
    return object.number(0, "metadata", "generation");
  }

  public static Map<String, String> labels(Tree object) {
    return object.texts("metadata", "labels");
  }

  public static @Nullable String label(Tree object, String key) {
    return object.text("metadata", "labels", key);
  }

  public static @Nullable String annotation(Tree object, String key) {
    return object.text("metadata", "annotations", key);
  }

  public static boolean isDeleting(Tree object) {
    return object.text("metadata", "deletionTimestamp") != null;
  }

  public static Instant created(Tree object) {
    return instant(object, Instant.EPOCH, "metadata", "creationTimestamp");
  }

  public static List<Tree> owners(Tree object) {
    return object.trees("metadata", "ownerReferences");
  }

  /// The owner reference that says `controller: true`.
  public static @Nullable Tree controllerOf(Tree object) {
    for (var owner : owners(object)) {
      if (owner.flag("controller")) {
        return owner;
      }
    }
    return null;
  }

  public static boolean isControlledBy(Tree object, Tree owner) {
    var controller = controllerOf(object);
    return controller != null && controller.textOrEmpty("uid").equals(uid(owner));
  }

  public static boolean hasFinalizer(Tree object, String finalizer) {
    return object.list("metadata", "finalizers").contains(finalizer);
  }

  /// The owner reference that makes `owner` the controller of an object.
  public static Tree controllerRef(Resource resource, Tree owner) {
    return Tree.of(
        "apiVersion",
        resource.apiVersion(),
        "kind",
        resource.kind(),
        "name",
        name(owner),
        "uid",
        uid(owner),
        "controller",
        true,
        "blockOwnerDeletion",
        true);
  }

  /// The time at the path, or `absent` when there is none that can be read.
  public static Instant instant(Tree object, Instant absent, String... path) {
    var text = object.text(path);
    if (text == null) {
      return absent;
    }
    try {
      return Instant.parse(text);
    } catch (DateTimeParseException e) {
      return absent;
    }
  }

  /// As Kubernetes writes `Time`: whole seconds, UTC.
  public static String time(Instant instant) {
    return instant.truncatedTo(ChronoUnit.SECONDS).toString();
  }

  /// As Kubernetes writes `MicroTime`: always six digits.
  public static String microTime(Instant instant) {
    return MICROS.format(instant);
  }
}
