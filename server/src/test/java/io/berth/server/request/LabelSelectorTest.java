package io.berth.server.request;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.api.ApiException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LabelSelectorTest {

  /// Blanks that part no words were once read again and again, until memory was used up.
  @ParameterizedTest
  @ValueSource(chars = {'\u000b', '\f', '\u001c', '\u001d', '\u001e', '\u001f', '\u2028', '\u3000'})
  void otherBlanksAreLettersThatNoKeyHas(char blank) {
    for (var text : new String[] {"a" + blank + "b", blank + "a", "a in (b," + blank + ")"}) {
      assertThatThrownBy(() -> LabelSelector.parse(text)).isInstanceOf(ApiException.class);
    }
  }
}
