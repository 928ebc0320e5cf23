package io.berth.engine.decide;

import io.berth.engine.model.ClusterModel;
import io.berth.engine.model.Shape;
import io.berth.engine.rule.FilterForm;
import io.berth.engine.rule.GroupTest;
import io.berth.engine.rule.NodeTest;
import io.berth.engine.rule.Premise;
import io.berth.engine.rule.Profile;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The filter rules of a view, by what they are asked about, each list in the order they run.
final class ViewFilters {

  private Ranked<NodeTest> ofNode = new Ranked<>(new NodeTest[0], new int[0]);
  private Ranked<NodeTest> ofPods = new Ranked<>(new NodeTest[0], new int[0]);
  private Ranked<GroupTest> ofGroups = new Ranked<>(new GroupTest[0], new int[0]);
  private final List<Premise> premises = new ArrayList<>();
  private boolean viewable = true;

  /// Tests, and the rank of each.
  record Ranked<T>(T[] tests, int[] ranks) {

    Ranked<T> with(T test, int rank) {
      var more = Arrays.copyOf(tests, tests.length + 1);
      var moreRanks = Arrays.copyOf(ranks, more.length);
      more[tests.length] = test;
      moreRanks[tests.length] = rank;
      return new Ranked<>(more, moreRanks);
    }
  }

  ViewFilters(Shape shape, Profile profile, ClusterModel cluster) {
    for (int rank = 0; rank < profile.filters().size(); rank++) {
      add(profile.filters().get(rank).filterForm(shape, cluster), rank);
    }
    for (var rule : profile.preFilters()) {
      if (!profile.filters().contains(rule)) {
        // It is not asked about nodes, and only the long way can a rule object before that.
        var form = rule.filterForm(shape, cluster);
        viewable &= !(form instanceof FilterForm.LongWay);
        premises.add(form.premise());
      }
    }
  }

  private void add(FilterForm form, int rank) {
    premises.add(form.premise());
    switch (form) {
      case FilterForm.Silent _ -> {}
      case FilterForm.OfNode(var test, _) -> ofNode = ofNode.with(test, rank);
      case FilterForm.OfPods(var test, _) -> ofPods = ofPods.with(test, rank);
      case FilterForm.ByDomain(var test, _) -> ofGroups = ofGroups.with(test, rank);
      case FilterForm.LongWay _ -> viewable = false;
    }
  }

  boolean isViewable() {
    return viewable;
  }

  /// Tests of the node object alone.
  Ranked<NodeTest> ofNode() {
    return ofNode;
  }

  /// Tests that also look at the pods on the node.
  Ranked<NodeTest> ofPods() {
    return ofPods;
  }

  /// Tests of groups of nodes.
  Ranked<GroupTest> ofGroups() {
    return ofGroups;
  }

  List<Premise> premises() {
    return premises;
  }
}
