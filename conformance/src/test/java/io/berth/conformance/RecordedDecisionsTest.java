package io.berth.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.conformance.oracle.Oracle;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// The oracle answers what the real kube-scheduler was recorded to answer: otherwise it would prove
/// nothing about the engine.
class RecordedDecisionsTest {

  static final List<String> THEMES = Vectors.THEMES;

  @ParameterizedTest
  @FieldSource("THEMES")
  void oracleAgrees(String theme) throws Exception {
    var replay = new Replay(new Oracle());
    var differences = new ArrayList<String>();
    for (var recorded : Vectors.of(theme)) {
      replay.run(recorded).differences().forEach(each -> differences.add(each.line()));
    }
    assertThat(differences).isEmpty();
  }
}
