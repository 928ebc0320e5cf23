package io.berth.controllers.runtime;

import io.berth.api.Tree;
import org.jspecify.annotations.Nullable;

/// Ways to look objects up without going through all of them.
public enum Index {
  NAMESPACE {
    @Override
    @Nullable String valueOf(Tree object) {
      return Meta.namespace(object);
    }
  },

  /// By uid of the controlling owner; objects without one under [#orphansOf(String)].
  CONTROLLER {
    @Override
    @Nullable String valueOf(Tree object) {
      var controller = Meta.controllerOf(object);
      return controller == null ? orphansOf(Meta.namespace(object)) : controller.textOrEmpty("uid");
    }
  },

  /// Pods by the node they are bound to; the value is `""` for pods that are not.
  NODE {
    @Override
    @Nullable String valueOf(Tree object) {
      return object.textOrEmpty("spec", "nodeName");
    }
  };

  abstract @Nullable String valueOf(Tree object);

  /// What objects of a namespace that nobody controls are filed under in [#CONTROLLER].
  public static String orphansOf(String namespace) {
    return "orphans of " + namespace;
  }
}
