package io.berth.schema.patch;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.berth.api.ApiException;
import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.codec.SyntaxException;
import io.berth.schema.FieldValidation;
import io.berth.schema.Types;
import io.berth.schema.apply.FieldManager;
import io.berth.schema.apply.FieldSet;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;

/// Whatever the patch: an object, or a refusal. The first byte says of which kind it is.
class PatchFuzzTest {

  private static final Types TYPES = Types.kubernetes();
  private static final Patcher PATCHER = new Patcher(TYPES);
  private static final FieldManager MANAGER =
      FieldManager.of(
          TYPES, "v1", "Pod", "", FieldSet.of("status"), InstantSource.fixed(Instant.EPOCH));
  private static final Tree POD =
      Json.read(
          """
          {"kind":"Pod","apiVersion":"v1","metadata":{"name":"p","labels":{"a":"b"}},
           "spec":{"containers":[{"name":"c","image":"i","ports":[{"containerPort":1}]}],
                   "tolerations":[{"key":"a"}],"nodeSelector":{"a":"b"}}}
          """);

  @FuzzTest(maxDuration = "10m")
  void patch(byte[] bytes) {
    if (bytes.length == 0) {
      return;
    }
    var body = Arrays.copyOfRange(bytes, 1, bytes.length);
    try {
      switch (bytes[0] & 3) {
        case 0 -> PATCHER.json(body, POD.copy(), FieldValidation.STRICT);
        case 1 -> PATCHER.merge(body, POD.copy(), FieldValidation.STRICT);
        case 2 -> PATCHER.strategic(body, POD.copy(), FieldValidation.STRICT);
        default -> MANAGER.apply(POD.copy(), Json.read(body), "fuzz", true);
      }
    } catch (ApiException | SyntaxException e) {
      assertThat(e.getMessage()).isNotNull();
    }
  }
}
