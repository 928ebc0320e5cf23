package io.berth.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.conformance.oracle.Oracle;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// Engine and oracle answer what the real kube-scheduler was recorded to answer.
class RecordedDecisionsTest {

  static final List<String> THEMES = Vectors.THEMES;

  @ParameterizedTest
  @FieldSource("THEMES")
  void engineAgrees(String theme) throws Exception {
    assertThat(differences(theme, new EngineRespondent())).isEmpty();
  }

  @Test
  void engineAgreesAboutVolumes() throws Exception {
    assertThat(differences(Vectors.VOLUMES, new EngineRespondent())).isEmpty();
  }

  @Test
  void engineAgreesAboutRarities() throws Exception {
    assertThat(differences(Vectors.RARE, new EngineRespondent())).isEmpty();
  }

  @ParameterizedTest
  @FieldSource("THEMES")
  void oracleAgrees(String theme) throws Exception {
    assertThat(differences(theme, new Oracle())).isEmpty();
  }

  private static List<String> differences(String theme, Respondent respondent) throws Exception {
    var replay = new Replay(respondent);
    var differences = new ArrayList<String>();
    int decisions = 0;
    for (var recorded : Vectors.of(theme)) {
      var outcome = replay.run(recorded);
      decisions += outcome.decisions();
      outcome.differences().forEach(each -> differences.add(each.line()));
    }
    assertThat(decisions).isPositive();
    return differences;
  }
}
