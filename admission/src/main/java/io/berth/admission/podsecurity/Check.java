package io.berth.admission.podsecurity;

import io.berth.admission.podsecurity.Level.Violation;
import io.berth.api.Tree;
import java.util.Optional;
import java.util.function.Function;

/// One rule of the standards, in force since Kubernetes 1.`since`.
record Check(String id, int since, Function<Tree, Optional<Violation>> rule) {

  Optional<Violation> test(Tree pod) {
    return rule.apply(pod);
  }
}
