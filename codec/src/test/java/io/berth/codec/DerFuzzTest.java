package io.berth.codec;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;

/// Whatever the bytes: a certificate request, or an [IllegalArgumentException].
class DerFuzzTest {

  @FuzzTest(maxDuration = "10m")
  void request(byte[] bytes) {
    try {
      var request = SigningRequest.parse(bytes);
      assertThat(request.subject().organizations()).doesNotContainNull();
      assertThat(request.verified()).isSameAs(request);
    } catch (IllegalArgumentException e) {
      assertThat(e).hasMessageNotContaining("null");
    }
  }
}
