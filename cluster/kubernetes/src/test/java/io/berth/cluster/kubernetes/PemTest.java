package io.berth.cluster.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.interfaces.ECPrivateKey;
import java.util.Base64;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class PemTest {

  // What stands for the name of a curve may also stand within the secret number.
  private static final String SECRET = "01a00206ff" + "11".repeat(27);
  private static final String KEY = "30310201010420" + SECRET + "a00a06082a8648ce3d030107";

  @Test
  void readsEcKeysWhateverTheirNumber() throws Exception {
    var key = (ECPrivateKey) Pem.key(pem(KEY));

    assertThat(key.getS()).isEqualTo(new BigInteger(SECRET, 16));
    assertThat(key.getParams().getOrder().bitLength()).isEqualTo(256);
  }

  @Test
  void refusesEcKeysThatEndTooEarly() {
    for (int length = 0; length < KEY.length(); length += 2) {
      var part = KEY.substring(0, length);
      assertThatThrownBy(() -> Pem.key(pem(part))).isInstanceOf(GeneralSecurityException.class);
    }
  }

  private static String pem(String hex) {
    var base64 = Base64.getEncoder().encodeToString(HexFormat.of().parseHex(hex));
    return "-----BEGIN EC PRIVATE KEY-----\n%s\n-----END EC PRIVATE KEY-----\n".formatted(base64);
  }
}
