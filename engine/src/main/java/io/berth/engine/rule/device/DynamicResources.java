package io.berth.engine.rule.device;

import io.berth.engine.model.ClusterModel;
import io.berth.engine.model.Shape;
import io.berth.engine.rule.FilterRule;
import io.berth.engine.rule.NodeTest;
import io.berth.engine.rule.Verdict;
import io.berth.engine.rule.Watch;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Holds back pods that need dynamic resource claims, which Berth does not allocate yet.
///
/// Such a pod is never placed by ignoring its claims; see `docs/compatibility.md`.
public final class DynamicResources implements FilterRule {

  @Override
  public String name() {
    return "DynamicResources";
  }

  @Override
  public Set<Watch> watches() {
    return Set.of();
  }

  @Override
  public NodeTest testFor(Shape shape, ClusterModel cluster) {
    var claims = shape.spec().resourceClaims();
    if (claims.isEmpty()) {
      return NodeTest.ALL;
    }
    var unfit =
        Verdict.unresolvable(
            "pod needs dynamic resource claims %s, which this scheduler does not allocate"
                .formatted(claims));
    return new NodeTest() {
      @Override
      public Verdict verdict(int node) {
        return unfit;
      }

      @Override
      public Verdict.@Nullable Unfit veto() {
        return unfit;
      }
    };
  }
}
