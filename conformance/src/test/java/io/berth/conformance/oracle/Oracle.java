package io.berth.conformance.oracle;

import io.berth.api.Tree;
import io.berth.conformance.Case;
import io.berth.conformance.Respondent;
import io.berth.conformance.Step;
import org.jspecify.annotations.Nullable;

/// Answers by the letter of the rules: every decision looks at every object anew.
public final class Oracle implements Respondent {

  private World world = new World(Case.of(Tree.of("steps", java.util.List.of())));
  private Profile profile = new Profile(null);

  @Override
  public void begin(Case start) {
    world = new World(start);
    profile = new Profile(start.config());
  }

  @Override
  public void apply(Step.Event event) {
    world.apply(event);
  }

  @Override
  public Tree decide(Tree pod) {
    var pending = new OraclePod(pod);
    world.nominated.remove(pending.key);
    return new Cycle(world, profile, pending).run();
  }

  @Override
  public void place(Tree pod, String node, @Nullable String startTime) {
    world.putPod(Step.placed(pod, node, startTime));
  }

  @Override
  public void discard(Tree pod) {}
}
