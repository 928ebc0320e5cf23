package io.berth.admission;

import io.berth.admission.webhook.Unreachable;
import io.berth.api.Resource;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// The admission plugins that are on, in Kubernetes' order.
public final class AdmissionChain {

  private final List<AdmissionPlugin> plugins;

  public AdmissionChain(List<AdmissionPlugin> plugins) {
    this.plugins = List.copyOf(plugins);
  }

  /// The default set, with plugins added and taken away by name as the API server's flags do.
  ///
  /// Throws [IllegalArgumentException] for a name that is not known, for one that is known but not
  /// built in and asked for, and for one in both lists.
  public static AdmissionChain of(Collection<String> enabled, Collection<String> disabled) {
    return of(enabled, disabled, Unreachable.FAILS);
  }

  /// The same, with a choice for webhooks that nobody answers for.
  public static AdmissionChain of(
      Collection<String> enabled, Collection<String> disabled, Unreachable unreachable) {
    return of(enabled, disabled, unreachable, InstantSource.system());
  }

  /// The same by another clock.
  public static AdmissionChain of(
      Collection<String> enabled,
      Collection<String> disabled,
      Unreachable unreachable,
      InstantSource clock) {
    var all = Plugins.inOrder(unreachable, clock);
    check(all, enabled, disabled);
    var on = new ArrayList<AdmissionPlugin>();
    for (var entry : all) {
      var name = entry.plugin().name();
      if ((entry.onByDefault() || enabled.contains(name)) && !disabled.contains(name)) {
        on.add(entry.plugin());
      }
    }
    return new AdmissionChain(on);
  }

  /// The same with one more, after all others.
  public AdmissionChain and(AdmissionPlugin plugin) {
    var all = new ArrayList<>(plugins);
    all.add(plugin);
    return new AdmissionChain(all);
  }

  private static void check(
      List<Plugins.Entry> all, Collection<String> enabled, Collection<String> disabled) {
    Set<String> builtIn = new LinkedHashSet<>();
    all.forEach(entry -> builtIn.add(entry.plugin().name()));
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
  ///
  /// As in Kubernetes, all run a second time when a policy or webhook changed something that others
  /// want to see.
  public void mutate(Attributes request, Lookup lookup) {
    mutateOnce(request, lookup);
    if (request.reinvocation().isDue()) {
      request.reinvocation().begin();
      mutateOnce(request, lookup);
    }
  }

  private void mutateOnce(Attributes request, Lookup lookup) {
    for (var plugin : plugins) {
      plugin.mutate(request, lookup);
    }
  }

  /// Whether policies or webhooks are set up that want to see valid requests.
  public boolean reviews(Lookup lookup) {
    for (var plugin : plugins) {
      if (plugin.reviews(lookup)) {
        return true;
      }
    }
    return false;
  }

  /// Shows a valid request to policies and webhooks, before the store's transaction.
  ///
  /// The plugins that come before them in Kubernetes' order object first. They are asked again in
  /// the transaction, where what they count cannot change.
  public void review(Attributes request, Lookup lookup) {
    if (!reviews(lookup)) {
      return;
    }
    int last = plugins.size() - 1;
    while (!plugins.get(last).reviews(lookup)) {
      last--;
    }
    for (int i = 0; i <= last; i++) {
      plugins.get(i).validate(request, lookup);
      plugins.get(i).review(request, lookup);
    }
  }

  /// The validating phase: after the object was validated, in the store's transaction.
  public void validate(Attributes request, Lookup lookup) {
    for (var plugin : plugins) {
      plugin.validate(request, lookup);
    }
  }

  /// Hears that an object of this resource was written.
  public void changed(Resource resource) {
    for (var plugin : plugins) {
      plugin.changed(resource);
    }
  }
}
