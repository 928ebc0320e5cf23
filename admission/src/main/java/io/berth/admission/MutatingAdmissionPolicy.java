package io.berth.admission;

import io.berth.admission.policy.Mutation;
import io.berth.admission.policy.Mutation.FailedException;
import io.berth.admission.policy.Params;
import io.berth.admission.policy.Params.ConfigurationException;
import io.berth.admission.policy.PolicySet;
import io.berth.admission.policy.PolicySet.Bound;
import io.berth.admission.request.Bindings;
import io.berth.admission.request.Matcher;
import io.berth.admission.request.Seen;
import io.berth.api.ApiException;
import io.berth.api.Resource;
import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Changes objects as mutating policies say.
///
/// Mirrors: apiserver/pkg/admission/plugin/policy/mutating.Plugin
final class MutatingAdmissionPolicy implements AdmissionPlugin {

  private final PolicySet<Mutation> policies =
      new PolicySet<>(Others.MUTATING_POLICIES, Others.MUTATING_BINDINGS, Mutation::new);

  @Override
  public String name() {
    return "MutatingAdmissionPolicy";
  }

  @Override
  public void changed(Resource resource) {
    policies.changed(resource);
  }

  @Override
  public void mutate(Attributes request, Lookup lookup) {
    // What is deleted cannot be changed, and no rule may name deletions.
    if (request.is(Operation.DELETE)) {
      return;
    }
    var bound = policies.bound(lookup);
    if (!bound.isEmpty() && !Matcher.isExempt(request)) {
      new Pass(request, lookup, name()).of(bound);
    }
  }

  /// One request before all policies.
  private static final class Pass {

    private final Attributes request;
    private final Lookup lookup;
    private final Matcher matcher;
    private final Reinvocation reinvocation;
    private final Reinvocation.Round round;
    private final List<Failure> failures = new ArrayList<>();

    private record Call(
        Bound<Mutation> policy, Tree binding, Resource version, @Nullable Tree params) {

      /// What tells this call from others when the phase is repeated.
      String key() {
        var meta = params == null ? new Tree() : params.treeOrEmpty("metadata");
        return String.join(
            "/",
            policy.name(),
            nameOf(binding),
            meta.textOrEmpty("namespace"),
            meta.textOrEmpty("name"));
      }
    }

    private record Failure(Bound<Mutation> policy, String binding, String message, String reason) {

      String text() {
        return binding.isEmpty()
            ? "policy \"%s\" denied request: %s".formatted(policy.name(), message)
            : "policy '%s' with binding '%s' denied request: %s"
                .formatted(policy.name(), binding, message);
      }
    }

    Pass(Attributes request, Lookup lookup, String plugin) {
      this.request = request;
      this.lookup = lookup;
      this.matcher = new Matcher(request, lookup);
      this.reinvocation = request.reinvocation();
      this.round = reinvocation.of(plugin);
    }

    void of(List<Bound<Mutation>> bound) {
      var calls = new ArrayList<Call>();
      bound.forEach(policy -> collect(policy, calls));
      if (!calls.isEmpty()) {
        makeAll(calls);
      }
      failures.removeIf(failure -> failure.policy.ignoresErrors());
      if (!failures.isEmpty()) {
        throw refusal();
      }
    }

    private void collect(Bound<Mutation> policy, List<Call> calls) {
      try {
        var version = matcher.resources(policy.spec().treeOrEmpty("matchConstraints"));
        if (version == null) {
          return;
        }
        for (var binding : policy.bindings()) {
          try {
            collect(policy, binding, version, calls);
          } catch (ConfigurationException e) {
            configurationError(policy, e.inBinding() ? nameOf(binding) : "", e.text());
            if (!e.inBinding()) {
              return;
            }
          }
        }
      } catch (ApiException e) {
        configurationError(policy, "", String.valueOf(e.getMessage()));
      }
    }

    private void collect(Bound<Mutation> policy, Tree binding, Resource version, List<Call> calls)
        throws ConfigurationException {
      var spec = binding.treeOrEmpty("spec");
      var match = spec.tree("matchResources");
      if (match == null || matcher.resources(match) != null) {
        for (var params : Params.of(policy.spec(), spec, request.namespace(), lookup)) {
          calls.add(new Call(policy, binding, version, params));
        }
      }
    }

    private void configurationError(Bound<Mutation> policy, String binding, String why) {
      var what = binding.isEmpty() ? "policy" : "binding";
      failures.add(
          new Failure(policy, binding, "failed to configure %s: %s".formatted(what, why), ""));
    }

    private void makeAll(List<Call> calls) {
      if (reinvocation.isAgain() && round.isChanged(object())) {
        round.repeatAsked();
      }
      var namespace = Bindings.namespace(request, lookup);
      for (var call : calls) {
        make(call, namespace);
      }
      round.remember(object());
    }

    private @Nullable Tree object() {
      return request.hasObject() ? request.object() : null;
    }

    private void make(Call call, @Nullable Tree namespace) {
      var seen = new Seen(request, call.version, lookup);
      var mutation = call.policy.compiled();
      try {
        if (!mutation.concerns(seen, call.params, lookup)
            || (reinvocation.isAgain() && !round.repeats(call.key()))) {
          return;
        }
      } catch (FailedException e) {
        failures.add(new Failure(call.policy, nameOf(call.binding), e.text(), "Invalid"));
        return;
      }
      for (var failure : mutation.change(seen, call.params, namespace, lookup)) {
        failures.add(new Failure(call.policy, nameOf(call.binding), failure, "Invalid"));
      }
      if (seen.isChanged()) {
        round.repeatAsked();
        reinvocation.require();
      }
      if (call.policy.spec().textOrEmpty("reinvocationPolicy").equals("IfNeeded")) {
        round.wants(call.key());
      }
    }

    private ApiException refusal() {
      var first = failures.getFirst();
      var causes = failures.stream().map(failure -> Tree.of("message", failure.text())).toList();
      var details = request.forbidden("").details();
      return new ApiException(
          403,
          first.reason.isEmpty() ? "Forbidden" : first.reason,
          first.text(),
          ApiException.withCauses(details == null ? new Tree() : details, causes));
    }

    private static String nameOf(Tree object) {
      return object.textOrEmpty("metadata", "name");
    }
  }
}
