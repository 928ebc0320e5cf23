package io.berth.admission;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// The admission plugins that are on, in Kubernetes' order.
public final class AdmissionChain {

  private final List<AdmissionPlugin> plugins;

  private AdmissionChain(List<AdmissionPlugin> plugins) {
    this.plugins = List.copyOf(plugins);
  }

  /// The default set, with plugins added and taken away by name as the API server's flags do.
  ///
  /// Throws [IllegalArgumentException] for a name that is not known, for one that is known but not
  /// built in and asked for, and for one in both lists.
  public static AdmissionChain of(Collection<String> enabled, Collection<String> disabled) {
    check(enabled, disabled);
    var on = new ArrayList<AdmissionPlugin>();
    for (var entry : Plugins.inOrder()) {
      var name = entry.plugin().name();
      if ((entry.onByDefault() || enabled.contains(name)) && !disabled.contains(name)) {
        on.add(entry.plugin());
      }
    }
    return new AdmissionChain(on);
  }

  private static void check(Collection<String> enabled, Collection<String> disabled) {
    Set<String> builtIn = new LinkedHashSet<>();
    Plugins.inOrder().forEach(entry -> builtIn.add(entry.plugin().name()));
    for (var name : enabled) {
      if (Plugins.NOT_BUILT_IN.contains(name)) {
        throw new IllegalArgumentException(
            "admission plugin \"%s\" is not built in; available are %s".formatted(name, builtIn));
      }
      if (!builtIn.contains(name)) {
        throw unknown(name, builtIn);
      }
      if (disabled.contains(name)) {
        throw new IllegalArgumentException(
            "admission plugin \"%s\" is both enabled and disabled; name it in one list"
                .formatted(name));
      }
    }
    for (var name : disabled) {
      if (!builtIn.contains(name) && !Plugins.NOT_BUILT_IN.contains(name)) {
        throw unknown(name, builtIn);
      }
    }
  }

  private static IllegalArgumentException unknown(String name, Set<String> builtIn) {
    return new IllegalArgumentException(
        "admission plugin \"%s\" is unknown; available are %s"
            .formatted(name, String.join(", ", builtIn)));
  }

  /// Names of the plugins that are on, in the order they run.
  public List<String> names() {
    return plugins.stream().map(AdmissionPlugin::name).toList();
  }

  /// The mutating phase: after defaults, before the object is validated.
  public void mutate(Attributes request, Lookup lookup) {
    for (var plugin : plugins) {
      plugin.mutate(request, lookup);
    }
  }

  /// The validating phase: after the object was validated, in the store's transaction.
  public void validate(Attributes request, Lookup lookup) {
    for (var plugin : plugins) {
      plugin.validate(request, lookup);
    }
  }
}
