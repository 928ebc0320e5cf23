package io.berth.kinds.admissionregistration;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.Fields;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.Write;
import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.LabelSelectors;
import io.berth.kinds.meta.Names;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// `validatingwebhookconfigurations` and `mutatingwebhookconfigurations` of
/// `admissionregistration.k8s.io/v1`.
public final class WebhookConfigurationStrategy extends PlainStrategy {

  private static final FieldPath WEBHOOKS = FieldPath.of("webhooks");
  private static final List<String> NO_SIDE_EFFECTS = List.of("None", "NoneOnDryRun");
  private static final List<String> SIDE_EFFECTS =
      List.of("None", "NoneOnDryRun", "Some", "Unknown");
  private static final List<String> REVIEWS = List.of("v1", "v1beta1");
  private static final List<String> SELECTORS = List.of("namespaceSelector", "objectSelector");
  private static final int MAX_TIMEOUT_SECONDS = 30;
  private static final int DEFAULT_TIMEOUT_SECONDS = 10;

  private final boolean mutating;

  private WebhookConfigurationStrategy(Resource resource, boolean mutating) {
    super(resource);
    this.mutating = mutating;
  }

  public static WebhookConfigurationStrategy validating(Resource resource) {
    return new WebhookConfigurationStrategy(resource, false);
  }

  public static WebhookConfigurationStrategy mutating(Resource resource) {
    return new WebhookConfigurationStrategy(resource, true);
  }

  @Override
  public boolean allowUnconditionalUpdate() {
    return false;
  }

  @Override
  public void setDefaults(Tree object) {
    for (var hook : object.trees("webhooks")) {
      hook.putIfAbsent("failurePolicy", "Fail");
      hook.putIfAbsent("matchPolicy", "Equivalent");
      hook.putIfAbsent("namespaceSelector", new Tree());
      hook.putIfAbsent("objectSelector", new Tree());
      hook.putIfAbsent("timeoutSeconds", DEFAULT_TIMEOUT_SECONDS);
      if (mutating) {
        hook.putIfAbsent("reinvocationPolicy", "Never");
      }
      hook.trees("rules").forEach(ResourceRules::setDefaults);
      var service = hook.tree("clientConfig", "service");
      if (service != null) {
        service.putIfAbsent("port", WebhookClients.DEFAULT_PORT);
      }
    }
  }

  @Override
  public void prepareForCreate(Tree object, Write write) {
    Fields.firstGeneration(object);
  }

  @Override
  public void prepareForUpdate(Tree object, Tree old, Write write) {
    Fields.countGeneration(object, old, "webhooks");
  }

  @Override
  public void validateCreate(Tree object, FieldErrors errors) {
    super.validateCreate(object, errors);
    validate(object.trees("webhooks"), null, errors);
  }

  @Override
  public void validateUpdate(Tree object, Tree old, FieldErrors errors) {
    super.validateUpdate(object, old, errors);
    validate(object.trees("webhooks"), old.trees("webhooks"), errors);
  }

  /// What stored webhooks were allowed to be, updated ones may be.
  private record Leniency(
      boolean sideEffects, boolean reviews, boolean names, boolean labels, boolean conditions) {

    static Leniency of(List<Tree> hooks, @Nullable List<Tree> old) {
      if (old == null) {
        return new Leniency(false, false, false, false, false);
      }
      var names = new HashSet<String>();
      return new Leniency(
          !old.stream().allMatch(hook -> NO_SIDE_EFFECTS.contains(hook.textOrEmpty("sideEffects"))),
          old.stream()
              .map(hook -> hook.list("admissionReviewVersions"))
              .anyMatch(each -> !each.isEmpty() && each.stream().noneMatch(REVIEWS::contains)),
          !old.stream().allMatch(hook -> names.add(hook.textOrEmpty("name"))),
          old.stream()
              .anyMatch(hook ->
                  SELECTORS.stream()
                      .anyMatch(field -> LabelSelectors.hasBadValues(hook.tree(field)))),
          sameConditions(hooks, old));
    }

    private static boolean sameConditions(List<Tree> hooks, List<Tree> old) {
      if (hooks.size() != old.size()) {
        return false;
      }
      for (int i = 0; i < old.size(); i++) {
        if (!Objects.equals(
            hooks.get(i).get("matchConditions"), old.get(i).get("matchConditions"))) {
          return false;
        }
      }
      return true;
    }
  }

  private void validate(List<Tree> hooks, @Nullable List<Tree> old, FieldErrors errors) {
    var lenient = Leniency.of(hooks, old);
    var names = new HashSet<String>();
    for (int i = 0; i < hooks.size(); i++) {
      var hook = hooks.get(i);
      var path = WEBHOOKS.index(i);
      validateWebhook(hook, lenient, path, errors);
      validateReviews(
          hook.list("admissionReviewVersions"),
          lenient,
          path.child("admissionReviewVersions"),
          errors);
      var name = hook.textOrEmpty("name");
      if (!name.isEmpty() && !names.add(name) && !lenient.names) {
        errors.duplicate(path.child("name"), name);
      }
    }
  }

  private void validateWebhook(Tree hook, Leniency lenient, FieldPath path, FieldErrors errors) {
    validateName(hook.textOrEmpty("name"), path.child("name"), errors);
    var rules = hook.trees("rules");
    for (int i = 0; i < rules.size(); i++) {
      ResourceRules.validate(rules.get(i), path.child("rules").index(i), errors);
    }
    supported(hook, "failurePolicy", PolicyStrategy.FAILURE_POLICIES, path, errors);
    supported(hook, "matchPolicy", MatchResources.POLICIES, path, errors);
    var allowed = lenient.sideEffects ? SIDE_EFFECTS : NO_SIDE_EFFECTS;
    if (hook.has("sideEffects")) {
      supported(hook, "sideEffects", allowed, path, errors);
    } else {
      errors.required(
          path.child("sideEffects"), "must specify one of " + String.join(", ", allowed));
    }
    long timeout = hook.number(1, "timeoutSeconds");
    if (timeout > MAX_TIMEOUT_SECONDS || timeout < 1) {
      errors.invalid(
          path.child("timeoutSeconds"),
          timeout,
          "the timeout value must be between 1 and 30 seconds");
    }
    for (var field : SELECTORS) {
      LabelSelectors.validate(hook.tree(field), lenient.labels, path.child(field), errors);
    }
    if (mutating) {
      supported(
          hook,
          "reinvocationPolicy",
          MutatingAdmissionPolicyStrategy.REINVOCATION_POLICIES,
          path,
          errors);
    }
    WebhookClients.validate(hook.treeOrEmpty("clientConfig"), path.child("clientConfig"), errors);
    if (!lenient.conditions) {
      MatchConditions.validate(
          hook.trees("matchConditions"), false, path.child("matchConditions"), errors);
    }
  }

  private static void validateName(String name, FieldPath path, FieldErrors errors) {
    if (!Checks.required(path, name, errors)) {
      return;
    }
    var wrong = Names.dnsSubdomain(name);
    if (!wrong.isEmpty()) {
      errors.invalid(path, name, String.join(",", wrong));
    } else if (name.split("\\.", -1).length < 3) {
      errors.invalid(
          path, name, "should be a domain with at least three segments separated by dots");
    }
  }

  private static void supported(
      Tree hook, String field, List<String> words, FieldPath path, FieldErrors errors) {
    var word = hook.text(field);
    if (word != null) {
      Checks.supported(path.child(field), word, words, errors);
    }
  }

  private static void validateReviews(
      List<@Nullable Object> versions, Leniency lenient, FieldPath path, FieldErrors errors) {
    if (versions.isEmpty()) {
      errors.required(path, "must specify one of " + String.join(", ", REVIEWS));
      return;
    }
    var seen = new HashSet<>();
    for (int i = 0; i < versions.size(); i++) {
      var version = String.valueOf(versions.get(i));
      if (!seen.add(version)) {
        errors.invalid(path.index(i), version, "duplicate version");
      } else {
        Checks.complaints(path.index(i), version, Names.dns1035Label(version), errors);
      }
    }
    if (!lenient.reviews && versions.stream().noneMatch(REVIEWS::contains)) {
      errors.invalid(path, versions, "must include at least one of " + String.join(", ", REVIEWS));
    }
  }

  @Override
  public List<@Nullable Object> cells(Tree object, Instant now) {
    return Cells.row(
        Cells.name(object), (long) object.trees("webhooks").size(), Cells.age(object, now));
  }
}
