package io.berth.server.custom;

import io.berth.api.FieldError;
import io.berth.api.Tree;
import io.berth.kinds.apiextensions.Approval;
import io.berth.kinds.custom.DefinitionConditions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Which of the names it asks for a definition gets: within a group, names are taken once.
///
/// A definition whose names are all accepted is established, and stays so whatever names it asks
/// for later.
final class NameClaims {

  private final Tree requested;
  private final Tree accepted;
  private final Set<String> resources = new HashSet<>();
  private final Set<String> kinds = new HashSet<>();
  private String reason = "NoConflicts";
  private String message = "no conflicts found";

  private NameClaims(Tree definition, List<Tree> all) {
    this.requested = definition.treeOrEmpty("spec", "names");
    this.accepted = definition.treeOrEmpty("status", "acceptedNames").copy();
    var group = definition.textOrEmpty("spec", "group");
    for (var other : all) {
      if (other.textOrEmpty("spec", "group").equals(group)) {
        var taken = other.treeOrEmpty("status", "acceptedNames");
        resources.add(taken.textOrEmpty("plural"));
        resources.add(taken.textOrEmpty("singular"));
        taken.list("shortNames").forEach(name -> resources.add(String.valueOf(name)));
        kinds.add(taken.textOrEmpty("kind"));
        kinds.add(taken.textOrEmpty("listKind"));
      }
    }
  }

  /// The status the definition shall have, or `null` when it has it.
  static @Nullable Tree settle(Tree definition, List<Tree> all, Instant now) {
    var settled = definition.copy();
    if (!isAccepted(definition)) {
      accept(definition, all, settled, now);
    }
    Approval.note(settled, now);
    return settled.equals(definition) ? null : settled.child("status");
  }

  private static boolean isAccepted(Tree definition) {
    return definition
            .treeOrEmpty("spec", "names")
            .equals(definition.treeOrEmpty("status", "acceptedNames"))
        && DefinitionConditions.isTrue(definition, "Established");
  }

  private static void accept(Tree definition, List<Tree> all, Tree settled, Instant now) {
    var claims = new NameClaims(definition, all);
    claims.claim();
    settled.child("status").put("acceptedNames", claims.accepted);
    boolean free = claims.reason.equals("NoConflicts");
    DefinitionConditions.set(settled, "NamesAccepted", free, claims.reason, claims.message, now);
    if (!DefinitionConditions.isTrue(definition, "Established")) {
      DefinitionConditions.set(
          settled,
          "Established",
          free,
          free ? "InitialNamesAccepted" : "NotAccepted",
          free ? "the initial names have been accepted" : "not all names are accepted",
          now);
    }
  }

  private void claim() {
    claimOne("plural", resources, "PluralConflict");
    claimOne("singular", resources, "SingularConflict");
    claimShortNames();
    claimOne("kind", kinds, "KindConflict");
    claimOne("listKind", kinds, "ListKindConflict");
    take("categories");
  }

  private void claimOne(String field, Set<String> taken, String conflict) {
    var name = requested.textOrEmpty(field);
    if (!name.equals(accepted.textOrEmpty(field)) && taken.contains(name)) {
      refuse(conflict, FieldError.quoted(name) + " is already in use");
    } else {
      take(field);
    }
  }

  private void claimShortNames() {
    var own = accepted.list("shortNames");
    var complaints = new ArrayList<String>();
    for (var each : requested.list("shortNames")) {
      var name = String.valueOf(each);
      if (!own.contains(name) && resources.contains(name)) {
        complaints.add(FieldError.quoted(name) + " is already in use");
      }
    }
    if (complaints.isEmpty()) {
      take("shortNames");
    } else {
      refuse(
          "ShortNamesConflict",
          complaints.size() == 1
              ? complaints.getFirst()
              : "[" + String.join(", ", complaints) + "]");
    }
  }

  private void take(String field) {
    if (requested.has(field)) {
      accepted.put(field, Tree.copyOf(requested.get(field)));
    } else {
      accepted.remove(field);
    }
  }

  private void refuse(String why, String words) {
    reason = why;
    message = words;
  }
}
