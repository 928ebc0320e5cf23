package io.berth.server.registry;

import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// How an object goes; what is `null` was not said. `unsafe` is for objects that cannot be read any
/// more, which none here is.
public record DeleteOptions(
    @Nullable Long graceSeconds,
    @Nullable String uid,
    @Nullable String resourceVersion,
    @Nullable String propagation,
    @Nullable Boolean orphanDependents,
    boolean dryRun,
    boolean unsafe) {

  public static final DeleteOptions DEFAULT =
      new DeleteOptions(null, null, null, null, null, false, false);

  /// The options in the body of a request.
  public static DeleteOptions of(Tree body, boolean dryRun) {
    var grace = body.get("gracePeriodSeconds");
    var orphan = body.get("orphanDependents");
    return new DeleteOptions(
        grace instanceof Long seconds ? seconds : null,
        body.text("preconditions", "uid"),
        body.text("preconditions", "resourceVersion"),
        body.text("propagationPolicy"),
        orphan instanceof Boolean flag ? flag : null,
        dryRun || body.list("dryRun").contains("All"),
        body.flag("ignoreStoreReadErrorWithClusterBreakingPotential"));
  }

  /// The options as objects carry them.
  Tree tree() {
    var tree = Tree.of("kind", "DeleteOptions", "apiVersion", "meta.k8s.io/v1");
    put(tree, "gracePeriodSeconds", graceSeconds);
    if (uid != null || resourceVersion != null) {
      var preconditions = tree.child("preconditions");
      put(preconditions, "uid", uid);
      put(preconditions, "resourceVersion", resourceVersion);
    }
    put(tree, "orphanDependents", orphanDependents);
    put(tree, "propagationPolicy", propagation);
    if (dryRun) {
      tree.put("dryRun", new ArrayList<@Nullable Object>(List.of("All")));
    }
    return tree;
  }

  private static void put(Tree tree, String field, @Nullable Object value) {
    if (value != null) {
      tree.put(field, value);
    }
  }
}
