package io.berth.workloads.door;

import io.berth.api.Tree;
import io.berth.workloads.http.Refusal;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The fields of a specification that Berth gives and nobody else.
public final class Given {

  private static final List<String> FIELDS =
      List.of("id", "createdBy", "createdAt", "updatedBy", "updatedAt");

  private static final String BY = "kubectl";

  private Given() {}

  /// The specification as somebody would have asked for it.
  public static Tree asked(Tree object) {
    var spec = object.treeOrEmpty("spec").copy();
    FIELDS.forEach(spec::remove);
    return spec;
  }

  /// Nobody numbers objects but Berth, and what has a number keeps it.
  public static void checkId(Tree object, @Nullable Tree old) {
    if (old == null ? object.at("spec", "id") != null : isChanged("id", object, old)) {
      throw Refusal.badRequest("Bad request - id: is given by Berth");
    }
  }

  public static void checkUnchanged(String field, Tree object, Tree old) {
    if (isChanged(field, object, old)) {
      throw Refusal.badRequest("Bad request - %s: cannot be changed".formatted(field));
    }
  }

  // What Berth has yet to give may be given.
  private static boolean isChanged(String field, Tree object, Tree old) {
    var before = old.at("spec", field);
    var now = object.at("spec", field);
    return before == null ? field.equals("id") && now != null : !Objects.equals(before, now);
  }

  /// Puts back what a replacement left out.
  public static void keep(Tree object, Tree old) {
    for (var field : FIELDS) {
      if (object.at("spec", field) == null && old.at("spec", field) != null) {
        object.child("spec").put(field, old.at("spec", field));
      }
    }
  }

  public static boolean hasId(Tree object) {
    return object.number(0, "spec", "id") > 0;
  }

  public static void give(Tree spec, long id, String now) {
    spec.put("id", id);
    spec.putIfAbsent("createdBy", BY);
    spec.putIfAbsent("createdAt", now);
    spec.putIfAbsent("updatedBy", BY);
    spec.putIfAbsent("updatedAt", now);
  }
}
