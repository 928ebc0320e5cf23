package io.berth.schema.apply;

import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A set of fields of an object: a tree of steps in which each node may be a member.
///
/// A parent is not a member because its children are: `f:spec` owning nothing but `f:replicas` says
/// nothing about `spec` itself. Operations return new sets, which may share parts with the old
/// ones; only a set that is being built is changed.
public final class FieldSet {

  /// Sets read lately: the objects of a kind are owned alike, and their frozen parts are the same.
  private static final AtomicReferenceArray<@Nullable Known> READ =
      new AtomicReferenceArray<>(1 << 10);

  /// Sets written lately, for the same reason.
  private static final AtomicReferenceArray<@Nullable FieldSet> WRITTEN =
      new AtomicReferenceArray<>(1 << 10);

  private static final SortedMap<String, FieldSet> NONE = Collections.emptySortedMap();

  private boolean member;

  /// [#NONE] until there is one: most sets are leaves.
  private SortedMap<String, FieldSet> children = NONE;

  /// What [#write] made; a set that is still being built has not been written.
  private volatile @Nullable Tree written;

  public FieldSet() {}

  FieldSet(boolean member) {
    this.member = member;
  }

  @SuppressWarnings("ReferenceEquality")
  private SortedMap<String, FieldSet> ownChildren() {
    if (children == NONE) {
      children = new TreeMap<>();
    }
    return children;
  }

  /// A set with these fields, given as names joined by dots: `spec`, `metadata.labels`.
  public static FieldSet of(String... paths) {
    var set = new FieldSet();
    for (var path : paths) {
      var steps = new ArrayList<String>();
      for (var name : path.split("\\.", -1)) {
        steps.add(PathElement.field(name));
      }
      set.insert(steps);
    }
    return set;
  }

  /// Reads the `fieldsV1` of a managed fields entry.
  static FieldSet read(Tree fields) {
    int place = fields.isFrozen() ? fields.hashCode() & READ.length() - 1 : -1;
    var known = place < 0 ? null : READ.get(place);
    if (known != null && known.fields.equals(fields)) {
      return known.set;
    }
    var set = new FieldSet();
    set.readFrom(fields);
    if (place >= 0) {
      READ.set(place, new Known(fields, set));
    }
    return set;
  }

  private void readFrom(Tree fields) {
    for (var entry : fields.fields().entrySet()) {
      if (entry.getKey().equals(".")) {
        member = true;
      } else if (entry.getValue() instanceof Tree below) {
        // Steps that a future version might know are dropped, as in Kubernetes.
        var step = PathElement.canonical(entry.getKey());
        if (step != null) {
          var child = new FieldSet(below.isEmpty());
          child.readFrom(below);
          ownChildren().put(step, child);
        }
      }
    }
  }

  /// The set as `fieldsV1`, frozen.
  Tree write() {
    var known = written;
    if (known != null) {
      return known;
    }
    int place = hashCode() & WRITTEN.length() - 1;
    var same = WRITTEN.get(place);
    if (same != null && same.equals(this)) {
      written = same.write();
    } else {
      var tree = new Tree();
      children.forEach((step, child) -> tree.put(step, child.writeBelow()));
      written = tree.freeze();
      WRITTEN.set(place, this);
    }
    return Objects.requireNonNull(written);
  }

  private Tree writeBelow() {
    var tree = new Tree();
    if (member && !children.isEmpty()) {
      tree.put(".", new Tree());
    }
    children.forEach((step, child) -> tree.put(step, child.writeBelow()));
    return tree;
  }

  /// Adds a field; the whole object is never a member.
  void insert(List<String> path) {
    var set = this;
    for (var step : path) {
      set = set.ownChildren().computeIfAbsent(step, _ -> new FieldSet());
    }
    if (!path.isEmpty()) {
      set.member = true;
    }
  }

  /// Adds a field that is not there yet, and what is below it.
  void insert(List<String> path, FieldSet field) {
    var set = this;
    for (var step : path.subList(0, path.size() - 1)) {
      set = set.ownChildren().computeIfAbsent(step, _ -> new FieldSet());
    }
    set.ownChildren().put(path.getLast(), field);
  }

  /// Puts what is below a step; answers what was there.
  @Nullable FieldSet put(String step, FieldSet child) {
    return ownChildren().put(step, child);
  }

  public boolean isEmpty() {
    return !member && children.isEmpty();
  }

  boolean has(String step) {
    var child = children.get(step);
    return child != null && child.member;
  }

  /// What lies below a step, without the step itself; empty when there is nothing.
  FieldSet below(String step) {
    var child = children.get(step);
    if (child == null || !child.member) {
      return child == null ? new FieldSet() : child;
    }
    var below = new FieldSet();
    below.children = child.children;
    return below;
  }

  FieldSet union(FieldSet other) {
    if (isEmpty() || other.isEmpty()) {
      return isEmpty() ? other : this;
    }
    var union = new FieldSet(member || other.member);
    union.children = new TreeMap<>(children);
    other.children.forEach((step, child) -> union.children.merge(step, child, FieldSet::union));
    return union;
  }

  FieldSet intersection(FieldSet other) {
    var both = new FieldSet(member && other.member);
    children.forEach((step, child) -> {
      var counterpart = other.children.get(step);
      if (counterpart != null) {
        both.putUnlessEmpty(step, child.intersection(counterpart));
      }
    });
    return both;
  }

  /// Without the members of `other`; their children stay.
  FieldSet difference(FieldSet other) {
    return difference(other, false);
  }

  /// Without the members of `other` and everything below them.
  FieldSet recursiveDifference(FieldSet other) {
    return difference(other, true);
  }

  private FieldSet difference(FieldSet other, boolean recursive) {
    var rest = new FieldSet(member && !other.member);
    children.forEach((step, child) -> {
      var counterpart = other.children.get(step);
      if (counterpart == null) {
        rest.put(step, child);
      } else if (!recursive || !counterpart.member) {
        rest.putUnlessEmpty(step, child.difference(counterpart, recursive));
      }
    });
    return rest;
  }

  private void putUnlessEmpty(String step, FieldSet child) {
    if (!child.isEmpty()) {
      ownChildren().put(step, child);
    }
  }

  /// The set with the declared fields on the way to its members; entries of maps are not added.
  FieldSet withDeclaredParents(@Nullable Structure structure) {
    var all = new FieldSet(member);
    children.forEach((step, child) -> {
      boolean declared = false;
      Structure below = null;
      if (step.startsWith("f:") && structure instanceof Structure.ObjectStructure object) {
        var name = step.substring(2);
        declared = object.field(name) != null;
        below = object.at(name);
      } else if (step.startsWith("k:") && structure instanceof Structure.ListStructure list) {
        below = list.element();
      }
      var added = child.withDeclaredParents(below);
      added.member = child.member || (declared && !child.children.isEmpty());
      all.put(step, added);
    });
    return all;
  }

  /// Calls `visitor` with every member's path, as messages show it: at each level members first.
  void forEachPath(Consumer<String> visitor) {
    forEachPath("", visitor);
  }

  private void forEachPath(String prefix, Consumer<String> visitor) {
    children.forEach((step, child) -> {
      if (child.member) {
        visitor.accept(prefix + PathElement.shown(step));
      }
    });
    children.forEach((step, child) -> child.forEachPath(prefix + PathElement.shown(step), visitor));
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || (other instanceof FieldSet set
            && member == set.member
            && children.size() == set.children.size()
            && sameChildren(set));
  }

  /// Both are sorted, so that they are gone through side by side.
  private boolean sameChildren(FieldSet other) {
    var theirs = other.children.entrySet().iterator();
    for (var own : children.entrySet()) {
      var their = theirs.next();
      if (!own.getKey().equals(their.getKey()) || !own.getValue().equals(their.getValue())) {
        return false;
      }
    }
    return true;
  }

  @Override
  public int hashCode() {
    return children.hashCode() * 31 + Boolean.hashCode(member);
  }

  @Override
  public String toString() {
    return write().toString();
  }

  private record Known(Tree fields, FieldSet set) {}
}
