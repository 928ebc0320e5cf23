package io.berth.schema.protobuf;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.berth.api.ApiException;
import io.berth.schema.Types;

/// Whatever the bytes: an object that can be written again, or a refusal.
class ProtobufFuzzTest {

  private static final Types TYPES = Types.kubernetes();
  private static final ProtobufDecoder DECODER = new ProtobufDecoder(TYPES);
  private static final ProtobufEncoder ENCODER = new ProtobufEncoder(TYPES);

  @FuzzTest(maxDuration = "10m")
  void object(byte[] bytes) {
    try {
      var object = DECODER.decode(bytes, "v1", "Pod").tree();
      assertThat(ENCODER.encode(object)).isNotEmpty();
    } catch (ApiException e) {
      assertThat(e.getMessage()).isNotNull();
    }
  }
}
