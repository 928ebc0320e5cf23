package io.berth.admission;

import io.berth.admission.policy.Judge;
import io.berth.admission.policy.Judge.Objection;
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
import io.berth.codec.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Refuses, warns of and notes what validating policies object to.
///
/// Mirrors: apiserver/pkg/admission/plugin/policy/validating.Plugin
final class ValidatingAdmissionPolicy implements AdmissionPlugin {

  private static final int MAX_FAILURES = 50;
  private static final int MAX_NOTE_BYTES = 10 * 1024;

  private final PolicySet<Judge> policies =
      new PolicySet<>(Others.VALIDATING_POLICIES, Others.VALIDATING_BINDINGS, Judge::new);

  @Override
  public String name() {
    return "ValidatingAdmissionPolicy";
  }

  @Override
  public void changed(Resource resource) {
    policies.changed(resource);
  }

  @Override
  public boolean reviews(Lookup lookup) {
    return !policies.bound(lookup).isEmpty();
  }

  @Override
  public void review(Attributes request, Lookup lookup) {
    var bound = policies.bound(lookup);
    if (!bound.isEmpty() && !Matcher.isExempt(request)) {
      new Review(request, lookup).of(bound);
    }
  }

  /// One request before all policies. The first refusal is told; warnings and notes of all are.
  private static final class Review {

    private final Attributes request;
    private final Lookup lookup;
    private final Matcher matcher;
    private final Map<Resource, Seen> versions = new LinkedHashMap<>();
    private final List<Refusal> refusals = new ArrayList<>();
    private final List<@Nullable Object> failures = new ArrayList<>();

    private record Refusal(String policy, String binding, String message, String reason) {}

    Review(Attributes request, Lookup lookup) {
      this.request = request;
      this.lookup = lookup;
      this.matcher = new Matcher(request, lookup);
    }

    void of(List<Bound<Judge>> bound) {
      for (var policy : bound) {
        judge(policy);
      }
      if (!failures.isEmpty()) {
        request.annotate(
            "validation.policy.admission.k8s.io/validation_failure",
            Json.text(failures.subList(0, Math.min(failures.size(), MAX_FAILURES))));
      }
      if (!refusals.isEmpty()) {
        throw refusal(refusals.getFirst());
      }
    }

    private void judge(Bound<Judge> policy) {
      Resource version;
      try {
        version = matcher.resources(policy.spec().treeOrEmpty("matchConstraints"));
      } catch (ApiException e) {
        configurationError(policy, "", String.valueOf(e.getMessage()));
        return;
      }
      if (version == null) {
        return;
      }
      var notes = new LinkedHashMap<String, Set<String>>();
      for (var binding : policy.bindings()) {
        try {
          apply(policy, binding, version, notes);
        } catch (ConfigurationException e) {
          var name = e.inBinding() ? nameOf(binding) : "";
          configurationError(policy, name, e.text());
          if (!e.inBinding()) {
            break;
          }
        }
      }
      notes.forEach(
          (key, values) -> request.annotate(policy.name() + "/" + key, String.join(", ", values)));
    }

    private void apply(
        Bound<Judge> policy, Tree binding, Resource version, Map<String, Set<String>> notes)
        throws ConfigurationException {
      var spec = binding.treeOrEmpty("spec");
      var match = spec.tree("matchResources");
      try {
        if (match != null && matcher.resources(match) == null) {
          return;
        }
      } catch (ApiException e) {
        configurationError(policy, nameOf(binding), String.valueOf(e.getMessage()));
        return;
      }
      var all = Params.of(policy.spec(), spec, request.namespace(), lookup);
      if (all.isEmpty()) {
        return;
      }
      var seen = versions.computeIfAbsent(version, each -> new Seen(request, each, lookup));
      var namespace = Bindings.namespace(request, lookup);
      for (var params : all) {
        var verdict = policy.compiled().judge(seen, params, namespace, lookup);
        verdict.objections().forEach(objection -> object(policy.name(), binding, objection));
        verdict
            .noteErrors()
            .forEach(error -> refusals.add(new Refusal(policy.name(), nameOf(binding), error, "")));
        verdict
            .notes()
            .forEach(note ->
                notes
                    .computeIfAbsent(note.key(), _ -> new LinkedHashSet<>())
                    .add(limited(note.value())));
      }
    }

    private static String limited(String value) {
      var bytes = value.getBytes(StandardCharsets.UTF_8);
      return bytes.length <= MAX_NOTE_BYTES
          ? value
          : new String(bytes, 0, MAX_NOTE_BYTES, StandardCharsets.UTF_8);
    }

    private void object(String policy, Tree binding, Objection objection) {
      var name = nameOf(binding);
      var actions = binding.treeOrEmpty("spec").list("validationActions");
      for (var action : actions) {
        switch (String.valueOf(action)) {
          case "Deny" ->
              refusals.add(new Refusal(policy, name, objection.message(), objection.reason()));
          case "Audit" ->
              failures.add(
                  Tree.of(
                      "message",
                      objection.message(),
                      "policy",
                      policy,
                      "binding",
                      name,
                      "expressionIndex",
                      objection.index(),
                      "validationActions",
                      new ArrayList<>(actions)));
          case "Warn" ->
              request.warn(
                  "Validation failed for ValidatingAdmissionPolicy '%s' with binding '%s': %s"
                      .formatted(policy, name, objection.message()));
          default -> {}
        }
      }
    }

    private void configurationError(Bound<Judge> policy, String binding, String why) {
      if (!policy.ignoresErrors()) {
        var what = binding.isEmpty() ? "policy" : "binding";
        refusals.add(
            new Refusal(
                policy.name(), binding, "failed to configure %s: %s".formatted(what, why), ""));
      }
    }

    private ApiException refusal(Refusal refusal) {
      var message =
          refusal.binding.isEmpty()
              ? "ValidatingAdmissionPolicy '%s' denied request: %s"
                  .formatted(refusal.policy, refusal.message)
              : "ValidatingAdmissionPolicy '%s' with binding '%s' denied request: %s"
                  .formatted(refusal.policy, refusal.binding, refusal.message);
      var forbidden = request.forbidden(message);
      var reason = refusal.reason.isEmpty() ? "Invalid" : refusal.reason;
      var details = forbidden.details();
      return new ApiException(
          code(reason),
          reason,
          String.valueOf(forbidden.getMessage()),
          ApiException.withCauses(
              details == null ? new Tree() : details, List.of(Tree.of("message", message))));
    }

    private static int code(String reason) {
      return switch (reason) {
        case "Forbidden" -> 403;
        case "Unauthorized" -> 401;
        case "RequestEntityTooLarge" -> 413;
        default -> 422;
      };
    }

    private static String nameOf(Tree object) {
      return object.textOrEmpty("metadata", "name");
    }
  }
}
