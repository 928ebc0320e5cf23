package io.berth.admission;

import io.berth.codec.Der;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads who a PKCS #10 certificate request is for.
final class CertificateRequest {

  private static final String COMMON_NAME = "2.5.4.3";
  private static final String ORGANIZATION = "2.5.4.10";

  /// The common name and the organizations of a subject.
  record Subject(String commonName, List<String> organizations) {}

  private CertificateRequest() {}

  /// The subject of a request as objects carry it (base64 of PEM), or `null` if it is none.
  static @Nullable Subject subject(String base64) {
    try {
      var pem = new String(Base64.getDecoder().decode(base64), StandardCharsets.US_ASCII);
      return subject(Der.ofRequest(pem));
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      return null;
    }
  }

  private static Subject subject(Der request) {
    var info = request.enter().enter();
    info.whole(); // the version
    var names = info.enter();
    var commonName = "";
    var organizations = new ArrayList<String>();
    while (names.hasNext()) {
      var set = names.enter();
      while (set.hasNext()) {
        var pair = set.enter();
        var type = pair.oid();
        var value = new String(pair.content(), StandardCharsets.UTF_8);
        switch (type) {
          case COMMON_NAME -> commonName = value;
          case ORGANIZATION -> organizations.add(value);
          default -> {
            // Where somebody lives does not matter here.
          }
        }
      }
    }
    return new Subject(commonName, organizations);
  }
}
