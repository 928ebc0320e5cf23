package io.berth.server.access;

import io.berth.admission.User;
import java.util.ArrayList;
import java.util.List;

/// Several authorizers as one: members of `system:masters` may do everything, otherwise the first
/// yes counts, and a no tells all reasons.
public final class Authorizers implements Authorizer {

  private static final String MASTERS = "system:masters";

  private final List<Authorizer> chain = new ArrayList<>();

  /// Adds an authorizer; call before the first question.
  public void use(Authorizer authorizer) {
    chain.add(authorizer);
  }

  @Override
  public Decision decide(Request request) {
    if (request.user().isIn(MASTERS)) {
      return Decision.ALLOWED;
    }
    var reasons = new ArrayList<String>();
    for (var authorizer : chain) {
      var decision = authorizer.decide(request);
      if (decision.allowed()) {
        return decision;
      }
      if (!decision.reason().isEmpty()) {
        reasons.add(decision.reason());
      }
    }
    return new Decision(false, String.join("\n", reasons));
  }

  @Override
  public List<Rule> rules(User user, String namespace) {
    var rules = new ArrayList<Rule>();
    for (var authorizer : chain) {
      rules.addAll(authorizer.rules(user, namespace));
    }
    return rules;
  }
}
