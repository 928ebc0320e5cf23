package io.berth.kinds.admissionregistration;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.Fields;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.Write;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.LabelSelectors;
import io.berth.kinds.meta.Names;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// `validatingwebhookconfigurations` and `mutatingwebhookconfigurations` of
/// `admissionregistration.k8s.io/v1`.
///
/// Mirrors: admissionregistration/validation.ValidateValidatingWebhookConfiguration,
/// ValidateMutatingWebhookConfiguration
public final class WebhookConfigurationStrategy extends PlainStrategy {

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
  protected void validate(Cursor object, @Nullable Tree old) {
    var lenient =
        Leniency.of(object.tree().trees("webhooks"), old == null ? null : old.trees("webhooks"));
    var names = new HashSet<String>();
    for (var hook : object.each("webhooks")) {
      validateWebhook(hook, lenient);
      validateReviews(hook.at("admissionReviewVersions"), lenient);
      if (!lenient.names) {
        hook.at("name").ifFilled().unique(names);
      }
    }
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

  private void validateWebhook(Cursor hook, Leniency lenient) {
    validateName(hook.at("name").required());
    hook.each("rules", ResourceRules::validate);
    hook.at("failurePolicy").ifSet().supported();
    hook.at("matchPolicy").ifSet().supported();
    var allowed = lenient.sideEffects ? SIDE_EFFECTS : NO_SIDE_EFFECTS;
    var effects = hook.at("sideEffects");
    if (effects.isSet()) {
      effects.supported(allowed);
    } else {
      effects.missing("must specify one of " + String.join(", ", allowed));
    }
    var timeout = hook.at("timeoutSeconds").ifSet();
    if (timeout.number() > MAX_TIMEOUT_SECONDS || timeout.number() < 1) {
      timeout.invalid("the timeout value must be between 1 and 30 seconds");
    }
    for (var field : SELECTORS) {
      LabelSelectors.validate(hook.at(field), lenient.labels);
    }
    if (mutating) {
      hook.at("reinvocationPolicy").ifSet().supported();
    }
    WebhookClients.validate(hook.at("clientConfig"));
    if (!lenient.conditions) {
      MatchConditions.validate(hook.at("matchConditions"), false);
    }
  }

  private static void validateName(Cursor name) {
    name.follows(Names::dnsSubdomain, ",");
    if (Names.dnsSubdomain(name.text()).isEmpty() && name.text().split("\\.", -1).length < 3) {
      name.invalid("should be a domain with at least three segments separated by dots");
    }
  }

  private static void validateReviews(Cursor versions, Leniency lenient) {
    var seen = new HashSet<String>();
    for (var version :
        versions.required("must specify one of " + String.join(", ", REVIEWS)).each()) {
      if (!seen.add(version.text())) {
        version.invalid("duplicate version");
      } else {
        version.follows(Names::dns1035Label);
      }
    }
    if (!lenient.reviews && versions.list().stream().noneMatch(REVIEWS::contains)) {
      versions.ifFilled().invalid("must include at least one of " + String.join(", ", REVIEWS));
    }
  }

  @Override
  public List<@Nullable Object> cells(Tree object, Instant now) {
    return Cells.row(
        Cells.name(object), (long) object.trees("webhooks").size(), Cells.age(object, now));
  }
}
