package io.berth.controllers.kubelet;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Tree;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class NodeAgentTest {

  private final NodeAgent agent = new NodeAgent(Tree.of("metadata", Tree.of("name", "n")));

  @Test
  void aPodStopsFromTheMomentItsDeletionWasFirstSeen() {
    var first = Instant.EPOCH;
    var later = first.plusMillis(5);

    assertThat(agent.stoppingSince("a", first)).isEqualTo(first);
    assertThat(agent.stoppingSince("a", later)).isEqualTo(first);
    assertThat(agent.stoppingSince("b", later)).isEqualTo(later);

    agent.forget("a");
    assertThat(agent.stoppingSince("a", later)).isEqualTo(later);
  }
}
