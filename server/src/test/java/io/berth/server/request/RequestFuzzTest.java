package io.berth.server.request;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.berth.api.ApiException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/// Whatever stands in the head of a request: it is understood, or refused.
///
/// The first line is method, path and query, the second what is accepted. Bytes and frames before
/// that are for `FramesFuzzTest`.
class RequestFuzzTest {

  @FuzzTest(maxDuration = "10m")
  void line(byte[] bytes) {
    var lines = new String(bytes, StandardCharsets.UTF_8).split("\n", 2);
    var words = lines[0].split(" ", 2);
    var target = words.length < 2 ? "" : words[1];
    int question = target.indexOf('?');
    try {
      var query = Query.parse(question < 0 ? "" : target.substring(question + 1));
      var path = "/" + (question < 0 ? target : target.substring(0, question));
      var info = RequestInfo.parse(words[0], path, query);
      assertThat(info.verb()).isNotNull();
      Timeout.check(info, query);
      LabelSelector.parse(query.text("labelSelector")).matches(Map.of("a", "b"));
      FieldSelector.parse(query.text("fieldSelector")).matches(_ -> "x");
      Media.negotiate(lines.length < 2 ? "" : lines[1], true);
    } catch (ApiException e) {
      assertThat(e.getMessage()).isNotNull();
    }
  }
}
