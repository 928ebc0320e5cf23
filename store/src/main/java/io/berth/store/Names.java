package io.berth.store;

import java.util.HashMap;
import java.util.Map;

/// One instance of every name that many keys share. Used by one thread, while opening.
final class Names {

  private final Map<String, String> names = new HashMap<>();

  String shared(String name) {
    var known = names.putIfAbsent(name, name);
    return known == null ? name : known;
  }
}
