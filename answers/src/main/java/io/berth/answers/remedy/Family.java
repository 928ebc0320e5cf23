package io.berth.answers.remedy;

import java.util.List;
import java.util.function.IntFunction;

/// Remedies of one kind, gentlest first, of which only the gentlest that helps is worth showing.
///
/// Where one helps, so do all that come after it: few have to be tried.
record Family(int size, IntFunction<? extends Remedy> members) {

  static Family of(List<? extends Remedy> members) {
    return new Family(members.size(), members::get);
  }

  /// What helps if any does.
  Remedy last() {
    return member(size - 1);
  }

  Remedy member(int index) {
    return members.apply(index);
  }
}
