package io.berth.kinds.certificates;

import io.berth.api.Tree;
import io.berth.kinds.Fields;
import io.berth.kinds.StatusRules;
import io.berth.kinds.Write;
import io.berth.kinds.meta.Conditions;
import io.berth.kinds.meta.Cursor;
import java.util.List;

/// What a signer answers: once, and for good.
///
/// Mirrors: registry/certificates/podcertificaterequest.StatusStrategy,
/// certificates/validation.ValidatePodCertificateRequestStatusUpdate
final class PodCertificateStatus extends StatusRules {

  /// The conditions that end a request, in the order in which Kubernetes lists them.
  static final List<String> ENDS = List.of("Issued", "Denied", "Failed");

  @Override
  public void prepareForUpdate(Tree object, Tree old, Write write) {
    super.prepareForUpdate(object, old, write);
    Fields.keepMetadata(object, old);
  }

  @Override
  public void validateUpdate(Cursor object, Tree old, Write write) {
    super.validateUpdate(object, old);
    if (!object.errors().isEmpty()) {
      return;
    }
    var status = object.at("status");
    var conditions = status.at("conditions");
    validateTypes(conditions);
    Conditions.validate(conditions);
    if (!object.errors().isEmpty()) {
      return;
    }
    boolean changed = Fields.differs(object.tree(), old, "status");
    if (!old.trees("status", "conditions").isEmpty()) {
      refuse(status, changed, "immutable after PodCertificateRequest is issued, denied, or failed");
    } else if (conditions.isEmpty()) {
      refuse(
          status,
          changed,
          "status is immutable unless transitioning to \"Issued\", \"Denied\", or \"Failed\"");
    } else if (conditions.each().getFirst().text("type").equals("Issued")) {
      new IssuedChain(object, write.now()).validate();
    } else {
      refuse(
          status,
          !Fields.isSame(status.tree(), Tree.of("conditions", conditions.list())),
          "non-condition status fields must be empty when denying or failing the"
              + " PodCertificateRequest");
    }
  }

  private static void refuse(Cursor status, boolean wrong, String detail) {
    if (wrong) {
      status.refused(detail);
    }
  }

  // As in Kubernetes, which names the elements as if they were fields.
  private static void validateTypes(Cursor conditions) {
    boolean ended = false;
    for (var condition : conditions.each()) {
      var at = conditions.at("[%d]".formatted(condition.index())).with(condition.value());
      var type = at.at("type");
      if (!ENDS.contains(type.text())) {
        type.notSupported(ENDS);
        continue;
      }
      if (ended) {
        type.invalid(
            "There may be at most one condition with type \"Issued\", \"Denied\", or \"Failed\"");
      }
      ended = true;
      at.at("status").supported(List.of("True"));
    }
  }
}
