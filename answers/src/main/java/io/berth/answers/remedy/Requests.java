package io.berth.answers.remedy;

import io.berth.answers.source.Amounts;
import io.berth.api.PodResources;
import io.berth.api.Quantity;
import io.berth.api.Tree;
import io.berth.engine.Cause.Shortage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The pod may ask for less: the largest amount that fits somewhere.
final class Requests {

  private static final int PARTS = 16;

  private Requests() {}

  static List<Family> find(Question question) {
    var amounts = new TreeMap<String, NavigableSet<Long>>();
    PodResources.requests(question.pod().spec())
        .forEach((resource, asked) -> amounts.put(resource, parts(units(resource, asked))));
    for (var node : question.nodes().keySet()) {
      for (var obstacle : question.on(node)) {
        for (var cause : obstacle.causes()) {
          if (cause.shortage() instanceof Shortage(var resource, _, long free, _)) {
            amounts.computeIfAbsent(resource, _ -> new TreeSet<>()).add(Math.max(0, free));
          }
        }
      }
    }
    var families = new ArrayList<Family>();
    amounts.forEach((resource, most) ->
        families.add(
            Family.of(
                most.descendingSet().stream().map(each -> new Shrink(resource, each)).toList())));
    return families;
  }

  // What is free is told where nobody waits for the node; elsewhere parts of it are tried.
  private static NavigableSet<Long> parts(long asked) {
    var parts = new TreeSet<Long>();
    for (int i = 0; i < PARTS && asked > 0; i++) {
      parts.add((long) (asked * ((double) i / PARTS)));
    }
    return parts;
  }

  private static long units(String resource, Quantity quantity) {
    return resource.equals("cpu") ? quantity.milliValue() : quantity.value();
  }

  /// Containers ask for less, the largest first, until the pod as a whole asks for `most`; cpu in
  /// thousandths.
  record Shrink(String resource, long most) implements Remedy.OfPod {

    @Override
    public String what() {
      return resource + " " + Amounts.shown(resource, most);
    }

    @Override
    public boolean edit(Tree spec) {
      long overhead = amount(spec.treeOrEmpty("overhead").get(resource));
      long left = Math.max(0, most - overhead);
      var whole = spec.tree("resources", "requests");
      if (whole != null && whole.has(resource)) {
        return lower(spec, left);
      }
      boolean changed = shrink(spec.trees("containers"), left);
      for (var container : spec.trees("initContainers")) {
        changed |= shrink(List.of(container), left);
      }
      return changed;
    }

    private boolean shrink(List<Tree> containers, long left) {
      long excess = -left;
      for (var container : containers) {
        excess += requested(container);
      }
      var largestFirst = new ArrayList<>(containers);
      largestFirst.sort(Comparator.comparingLong(this::requested).reversed());
      boolean changed = false;
      for (var container : largestFirst) {
        long less = Math.min(excess, requested(container));
        if (less > 0) {
          changed |= lower(container, requested(container) - less);
          excess -= less;
        }
      }
      return changed;
    }

    private long requested(Tree container) {
      var requests = container.treeOrEmpty("resources", "requests");
      var limits = container.treeOrEmpty("resources", "limits");
      return amount(requests.has(resource) ? requests.get(resource) : limits.get(resource));
    }

    private boolean lower(Tree holder, long to) {
      var resources = holder.child("resources");
      var text = Amounts.shown(resource, to);
      resources.child("requests").put(resource, text);
      // As in Kubernetes, what cannot be overcommitted is asked for and limited alike.
      if (isWhole(resource) && resources.treeOrEmpty("limits").has(resource)) {
        resources.child("limits").put(resource, text);
      }
      return true;
    }

    private static boolean isWhole(String resource) {
      return resource.contains("/") || resource.startsWith("hugepages-");
    }

    private long amount(@Nullable Object quantity) {
      if (quantity == null) {
        return 0;
      }
      return units(resource, Quantity.parse(String.valueOf(quantity)));
    }
  }
}
