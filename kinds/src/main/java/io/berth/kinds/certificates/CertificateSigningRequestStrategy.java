package io.berth.kinds.certificates;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.codec.SigningRequest;
import io.berth.kinds.Cells;
import io.berth.kinds.Fields;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.UpdateRules;
import io.berth.kinds.Write;
import io.berth.kinds.meta.Ages;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.NameRule;
import io.berth.kinds.meta.ObjectMeta;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// `certificates.k8s.io/v1 certificatesigningrequests`
///
/// Who asks is written down by the server: a request that could name its own user would be a way to
/// become anybody.
///
/// Mirrors: registry/certificates/certificates.csrStrategy,
/// certificates/validation.ValidateCertificateSigningRequestCreate
public final class CertificateSigningRequestStrategy extends PlainStrategy {

  private static final NameRule ANY_NAME = (name, prefix) -> List.of();
  private static final int SHORTEST_SECONDS = 600;
  private static final List<String> DECISIONS = List.of("Approved", "Denied");
  private static final List<String> STATUSES = List.of("False", "True", "Unknown");

  public CertificateSigningRequestStrategy(Resource resource) {
    super(resource, ANY_NAME);
  }

  @Override
  public void prepareForCreate(Tree object, Write write) {
    var spec = object.child("spec");
    List.of("username", "uid", "groups", "extra").forEach(spec::remove);
    spec.put("username", write.user());
    if (!write.uid().isEmpty()) {
      spec.put("uid", write.uid());
    }
    if (!write.groups().isEmpty()) {
      spec.put("groups", write.groups());
    }
    if (!write.extra().isEmpty()) {
      spec.put("extra", Tree.ofMap(new TreeMap<>(write.extra())));
    }
    object.put("status", new Tree());
  }

  @Override
  public void validateCreate(Cursor object) {
    super.validateCreate(object);
    validateSpec(object.at("spec"));
  }

  private static void validateSpec(Cursor spec) {
    validateRequest(spec.at("request"));
    var usages = spec.at("usages").required();
    usages.each().forEach(usage -> usage.supported());
    var seen = new HashSet<String>();
    usages.each().forEach(usage -> usage.unique(seen));
    var signer = spec.at("signerName");
    if (signer.is("kubernetes.io/legacy-unknown")) {
      signer.invalid("the legacy signerName is not allowed via this API version");
    } else {
      SignerNames.validate(signer);
    }
    var expiration = spec.at("expirationSeconds").ifSet();
    if (expiration.number() < SHORTEST_SECONDS) {
      expiration.invalid("may not specify a duration less than 600 seconds (10 minutes)");
    }
  }

  private static void validateRequest(Cursor request) {
    try {
      var _ = SigningRequest.ofField(request.text()).verified();
    } catch (IllegalArgumentException e) {
      request.invalid(String.valueOf(e.getMessage()));
    }
  }

  /// Only metadata may be changed at the main door.
  @Override
  public void prepareForUpdate(Tree object, Tree old, Write write) {
    Fields.keepOthers(object, old, "metadata");
  }

  @Override
  public Map<String, UpdateRules> subresources() {
    return Map.of("approval", new Door(true), "status", new Door(false));
  }

  /// `approval` decides and does nothing else; `status` does everything else.
  private record Door(boolean decides) implements UpdateRules {

    @Override
    public void prepareForUpdate(Tree object, Tree old, Write write) {
      stampConditions(object, old, write.now());
      Fields.keepOthers(object, old, "metadata", "status");
      if (decides) {
        var conditions = object.at("status", "conditions");
        Fields.keep(object, old, "status");
        object.child("status").put("conditions", conditions);
      }
    }

    private static void stampConditions(Tree object, Tree old, Instant now) {
      var time = now.truncatedTo(ChronoUnit.SECONDS).toString();
      for (var condition : object.trees("status", "conditions")) {
        condition.putIfAbsent("lastUpdateTime", time);
        if (condition.get("lastTransitionTime") == null) {
          var before =
              old.trees("status", "conditions").stream()
                  .filter(each -> isSame(each, condition))
                  .map(each -> each.text("lastTransitionTime"))
                  .filter(Objects::nonNull)
                  .findFirst();
          condition.put("lastTransitionTime", before.orElse(time));
        }
      }
    }

    private static boolean isSame(Tree one, Tree other) {
      return one.textOrEmpty("type").equals(other.textOrEmpty("type"))
          && one.textOrEmpty("status").equals(other.textOrEmpty("status"));
    }

    @Override
    public void validateUpdate(Cursor object, Tree old) {
      ObjectMeta.validate(object, false, ANY_NAME);
      validateSpec(object.at("spec"));
      validateConditions(object.at("status", "conditions"));
      ObjectMeta.validateUpdate(object, old);
      validateChanges(object, old);
    }

    private void validateChanges(Cursor object, Tree old) {
      var conditions = object.at("status", "conditions");
      var before = types(old);
      var after = types(object.tree());
      for (var type : List.of("Approved", "Denied", "Failed")) {
        if (before.contains(type) && !after.contains(type)) {
          conditions.forbidden("updates may not remove a condition of type \"%s\"".formatted(type));
        }
      }
      for (var type : DECISIONS) {
        if (!decides && !before.contains(type) && after.contains(type)) {
          conditions.forbidden("updates may not add a condition of type \"%s\"".formatted(type));
        }
      }
      var certificate = old.textOrEmpty("status", "certificate");
      if (!certificate.isEmpty() && !object.at("status", "certificate").is(certificate)) {
        object
            .at("status", "certificate")
            .forbidden("updates may not modify existing certificate content");
      }
    }

    private static void validateConditions(Cursor conditions) {
      var types = new HashSet<String>();
      for (var condition : conditions.each()) {
        types.add(condition.at("type").required().text());
        boolean decision = DECISIONS.contains(condition.text("type"));
        condition.at("status").oneOf(decision ? List.of("True") : STATUSES);
      }
      if (types.containsAll(DECISIONS)) {
        conditions.invalid("Denied", "Approved and Denied conditions are mutually exclusive");
      }
    }

    private static Set<String> types(Tree object) {
      var types = new HashSet<String>();
      object
          .trees("status", "conditions")
          .forEach(condition -> types.add(condition.textOrEmpty("type")));
      return types;
    }
  }

  @Override
  public List<@Nullable Object> cells(Tree object, Instant now) {
    var signer = object.textOrEmpty("spec", "signerName");
    var asked = object.at("spec", "expirationSeconds");
    return Cells.row(
        Cells.name(object),
        Cells.age(object, now),
        Cells.orNone(signer),
        object.textOrEmpty("spec", "username"),
        asked instanceof Long seconds ? Ages.between(now, now.plusSeconds(seconds)) : Cells.NONE,
        condition(object));
  }

  @Override
  public Set<String> fieldLabels() {
    return Set.of("spec.signerName");
  }

  private static String condition(Tree object) {
    var types = Door.types(object);
    var shown = "Pending";
    if (types.contains("Denied")) {
      shown = "Denied";
    } else if (types.contains("Approved")) {
      shown = "Approved";
    }
    if (types.contains("Failed")) {
      shown += ",Failed";
    }
    return object.textOrEmpty("status", "certificate").isEmpty() ? shown : shown + ",Issued";
  }
}
