package io.berth.admission;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads who a PKCS #10 certificate request is for: just enough DER for its subject.
final class CertificateRequest {

  private static final int SEQUENCE = 0x30;
  private static final int SET = 0x31;
  private static final String BEGIN = "-----BEGIN CERTIFICATE REQUEST-----";
  private static final String END = "-----END CERTIFICATE REQUEST-----";
  private static final byte[] COMMON_NAME = {0x55, 0x04, 0x03};
  private static final byte[] ORGANIZATION = {0x55, 0x04, 0x0A};

  /// The common name and the organizations of a subject.
  record Subject(String commonName, List<String> organizations) {}

  private final byte[] der;
  private int at;
  private int end;

  private CertificateRequest(byte[] der, int from, int end) {
    this.der = der;
    this.at = from;
    this.end = end;
  }

  /// The subject of a request as objects carry it (base64 of PEM), or `null` if it is none.
  static @Nullable Subject subject(String base64) {
    try {
      var pem = new String(Base64.getDecoder().decode(base64), StandardCharsets.US_ASCII);
      int begin = pem.indexOf(BEGIN);
      int stop = pem.indexOf(END);
      if (begin < 0 || stop < begin) {
        return null;
      }
      var der = Base64.getMimeDecoder().decode(pem.substring(begin + BEGIN.length(), stop));
      return subject(der);
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      return null;
    }
  }

  private static Subject subject(byte[] der) {
    var info = new CertificateRequest(der, 0, der.length).enter(SEQUENCE).enter(SEQUENCE);
    info.skip();
    var names = info.enter(SEQUENCE);
    var commonName = "";
    var organizations = new ArrayList<String>();
    while (names.at < names.end) {
      var set = names.enter(SET);
      while (set.at < set.end) {
        var pair = set.enter(SEQUENCE);
        var type = pair.content();
        var value = new String(pair.content(), StandardCharsets.UTF_8);
        if (Arrays.equals(type, COMMON_NAME)) {
          commonName = value;
        } else if (Arrays.equals(type, ORGANIZATION)) {
          organizations.add(value);
        }
      }
    }
    return new Subject(commonName, organizations);
  }

  private CertificateRequest enter(int tag) {
    if ((der[at] & 0xFF) != tag) {
      throw new IllegalArgumentException("unexpected tag " + der[at]);
    }
    int length = header();
    var inner = new CertificateRequest(der, at, at + length);
    at += length;
    return inner;
  }

  private void skip() {
    int length = header();
    at += length;
  }

  private byte[] content() {
    int length = header();
    var content = Arrays.copyOfRange(der, at, at + length);
    at += length;
    return content;
  }

  /// Steps over tag and length, and returns the length of what follows.
  private int header() {
    at++;
    int length = der[at++] & 0xFF;
    if (length >= 0x80) {
      int bytes = length & 0x7F;
      length = 0;
      for (int i = 0; i < bytes && i < 4; i++) {
        length = (length << 8) | (der[at++] & 0xFF);
      }
    }
    if (length < 0 || length > end - at) {
      throw new IllegalArgumentException("length runs past the end");
    }
    return length;
  }
}
