package io.berth.kinds.meta;

import java.util.List;

/// What the name of an object must look like.
@FunctionalInterface
public interface NameRule {

  /// What is wrong with a name, or with the beginning of one that is still to be generated.
  List<String> check(String name, boolean prefix);
}
