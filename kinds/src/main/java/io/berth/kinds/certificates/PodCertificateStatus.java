package io.berth.kinds.certificates;

import io.berth.api.FieldError;
import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Tree;
import io.berth.kinds.Fields;
import io.berth.kinds.StatusRules;
import io.berth.kinds.Write;
import io.berth.kinds.meta.Conditions;
import java.util.List;

/// What a signer answers: once, and for good.
final class PodCertificateStatus extends StatusRules {

  /// The conditions that end a request, in the order in which Kubernetes lists them.
  static final List<String> ENDS = List.of("Issued", "Denied", "Failed");

  private static final FieldPath STATUS = FieldPath.of("status");

  @Override
  public void prepareForUpdate(Tree object, Tree old, Write write) {
    super.prepareForUpdate(object, old, write);
    Fields.keepMetadata(object, old);
  }

  @Override
  public void validateUpdate(Tree object, Tree old, Write write, FieldErrors errors) {
    super.validateUpdate(object, old, errors);
    if (!errors.isEmpty()) {
      return;
    }
    var conditions = object.trees("status", "conditions");
    validateTypes(conditions, errors);
    Conditions.validate(STATUS.child("conditions"), conditions, errors);
    if (!errors.isEmpty()) {
      return;
    }
    boolean changed = Fields.differs(object, old, "status");
    if (!old.trees("status", "conditions").isEmpty()) {
      refuse(changed, "immutable after PodCertificateRequest is issued, denied, or failed", errors);
    } else if (conditions.isEmpty()) {
      refuse(
          changed,
          "status is immutable unless transitioning to \"Issued\", \"Denied\", or \"Failed\"",
          errors);
    } else if (conditions.getFirst().textOrEmpty("type").equals("Issued")) {
      new IssuedChain(object, write.now(), errors).validate();
    } else {
      refuse(
          Fields.differs(object, Tree.of("status", Tree.of("conditions", conditions)), "status"),
          "non-condition status fields must be empty when denying or failing the"
              + " PodCertificateRequest",
          errors);
    }
  }

  private static void refuse(boolean wrong, String detail, FieldErrors errors) {
    if (wrong) {
      errors.add(FieldError.invalidWithoutValue(STATUS, detail));
    }
  }

  private static void validateTypes(List<Tree> conditions, FieldErrors errors) {
    for (int i = 0; i < conditions.size(); i++) {
      var path = STATUS.child("conditions").child("[%d]".formatted(i));
      var type = conditions.get(i).textOrEmpty("type");
      if (!ENDS.contains(type)) {
        errors.notSupported(path.child("type"), type, ENDS);
        continue;
      }
      if (conditions.subList(0, i).stream()
          .anyMatch(each -> ENDS.contains(each.textOrEmpty("type")))) {
        errors.invalid(
            path.child("type"),
            type,
            "There may be at most one condition with type \"Issued\", \"Denied\", or \"Failed\"");
      }
      var status = conditions.get(i).textOrEmpty("status");
      if (!status.equals("True")) {
        errors.notSupported(path.child("status"), status, List.of("True"));
      }
    }
  }
}
