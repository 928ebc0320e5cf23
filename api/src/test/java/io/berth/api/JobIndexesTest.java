package io.berth.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class JobIndexesTest {

  @Test
  void readsAndWritesIntervals() {
    var indexes = JobIndexes.parse("0,2-4,7", 10);

    assertThat(indexes).containsExactly(0, 2, 3, 4, 7);
    assertThat(JobIndexes.text(indexes)).isEqualTo("0,2-4,7");
    assertThat(JobIndexes.text(new TreeSet<>(List.of(1, 2)))).isEqualTo("1,2");
    assertThat(JobIndexes.count("0,2-4,7", 10)).isEqualTo(5);
    assertThat(JobIndexes.count("", 10)).isZero();
  }

  @Test
  void leavesOutWhatAJobThatShrankNoLongerHas() {
    assertThat(JobIndexes.parse("0,2-2000000000", 4)).containsExactly(0, 2, 3);
  }

  record Wrong(String text, String message) {}

  static final List<Wrong> WRONG =
      List.of(
          new Wrong("10", "too large index: \"10\""),
          new Wrong("a", "cannot convert string to integer for index: \"a\""),
          new Wrong("3-3", "non-increasing order, previous: 3, current: 3"),
          new Wrong("3,2", "non-increasing order, previous: 3, current: 2"),
          new Wrong(
              "1-2-3",
              "the fragment \"1-2-3\" violates the requirement that an index interval can have at"
                  + " most two parts separated by '-'"));

  @ParameterizedTest(name = "{0}")
  @FieldSource("WRONG")
  void refusesWhatIsNotInForm(Wrong c) {
    assertThatThrownBy(() -> JobIndexes.count(c.text(), 10)).hasMessage(c.message());
  }
}
