package io.berth.answers.live;

import static io.berth.answers.explain.Outlook.BOUND;
import static io.berth.answers.explain.Outlook.FITS;
import static io.berth.answers.explain.Outlook.NOT_NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.answers.explain.PodExplanation;
import io.berth.api.ObjectReference;
import org.junit.jupiter.api.Test;

class LiveClusterTest {

  private final TellingCluster cluster =
      new TellingCluster()
          .node("node-1", "4")
          .node("node-2", "4")
          .pod("cache-0", "node-1", "3")
          .pod("cache-1", "node-2", "3")
          .pod("web-7", "", "2");

  @Test
  void nothingIsKeptBeforeSomebodyAsks() {
    assertThat(cluster.hearing().isDeaf()).isTrue();
    assertThat(cluster.beginnings()).isZero();
  }

  @Test
  void answersAsWhoReadsTheCluster() throws Exception {
    var heard = cluster.explain("web-7");

    assertThat(heard.verdict()).isEqualTo(NOT_NOW);
    assertThat(heard.suggestions()).isNotEmpty();
    assertThat(shown(heard)).isEqualTo(shown(cluster.explainedByReading("web-7")));
  }

  @Test
  void catchesUpBeforeEveryAnswer() throws Exception {
    assertThat(cluster.explain("web-7").verdict()).isEqualTo(NOT_NOW);

    cluster.remove("cache-1");
    var heard = cluster.explain("web-7");

    assertThat(heard.verdict()).isEqualTo(FITS);
    assertThat(heard.node()).isEqualTo("node-2");
    assertThat(shown(heard)).isEqualTo(shown(cluster.explainedByReading("web-7")));
    assertThat(cluster.beginnings()).isEqualTo(1);
  }

  @Test
  void countsPodsWhoseBindIsUnderWay() throws Exception {
    cluster.remove("cache-1").pod("web-8", "", "3").assume("web-8", "node-2");
    assertThat(cluster.explain("web-7").verdict()).isEqualTo(NOT_NOW);
    assertThat(cluster.explain("web-8").verdict()).isEqualTo(BOUND);

    // An update from before the bind takes nothing back.
    cluster.pod("web-8", "", "3");
    assertThat(cluster.explain("web-7").verdict()).isEqualTo(NOT_NOW);

    cluster.forget("web-8");
    assertThat(cluster.explain("web-7").node()).isEqualTo("node-2");
    assertThat(cluster.explain("web-8").node()).isEqualTo("node-2");
  }

  @Test
  void keepsWhatWasPromisedAfterAnAnswerAboutIt() throws Exception {
    cluster.remove("cache-1").pod("web-8", "", "3").nominate("web-8", "node-2");

    assertThat(cluster.explain("web-8").node()).isEqualTo("node-2");
    assertThat(cluster.explain("web-7").verdict()).isEqualTo(NOT_NOW);
  }

  @Test
  void beginsAnewWhenItWasTooLongDeaf() throws Exception {
    assertThat(cluster.explain("web-7").verdict()).isEqualTo(NOT_NOW);
    cluster.flood(Hearing.MAX + 1);
    assertThat(cluster.hearing().isDeaf()).isTrue();

    cluster.remove("cache-1");

    assertThat(cluster.explain("web-7").node()).isEqualTo("node-2");
    assertThat(cluster.beginnings()).isEqualTo(2);
  }

  @Test
  void followsTheSchedulerThatTakesOver() throws Exception {
    assertThat(cluster.explain("web-7").verdict()).isEqualTo(NOT_NOW);

    cluster.startAnew().remove("cache-1");

    assertThat(cluster.explain("web-7").node()).isEqualTo("node-2");
  }

  @Test
  void aQuestionThatBreaksSpoilsNoOther() throws Exception {
    assertThatThrownBy(() ->
            cluster
                .live()
                .ask(moment -> {
                  moment.engine().remove(ObjectReference.node("node-1"));
                  throw new IllegalStateException("broke");
                }))
        .hasMessage("broke");

    assertThat(cluster.explain("web-7").nodes()).isEqualTo(2);
  }

  @Test
  void tellsHowFarItIs() throws Exception {
    long before = cluster.revision();
    assertThat(cluster.explain("web-7").revision()).isEqualTo(String.valueOf(before));

    cluster.node("node-3", "1");

    assertThat(cluster.explain("web-7").revision()).isEqualTo(String.valueOf(before + 1));
  }

  private static Object shown(PodExplanation answer) {
    return answer.toTree().put("revision", "");
  }
}
