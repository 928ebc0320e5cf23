package io.berth.codec;

import java.util.Arrays;
import java.util.Base64;

/// Reads DER elements one after the other: just enough for certificate requests.
///
/// Damaged bytes end in an [IllegalArgumentException] or [IndexOutOfBoundsException].
public final class Der {

  private static final String BEGIN = "-----BEGIN CERTIFICATE REQUEST-----";
  private static final String END = "-----END CERTIFICATE REQUEST-----";

  private final byte[] bytes;
  private final int end;
  private int at;

  public Der(byte[] bytes) {
    this(bytes, 0, bytes.length);
  }

  private Der(byte[] bytes, int from, int end) {
    this.bytes = bytes;
    this.at = from;
    this.end = end;
  }

  /// The bytes of the certificate request in a PEM text.
  public static Der ofRequest(String pem) {
    int begin = pem.indexOf(BEGIN);
    int end = pem.indexOf(END);
    if (begin < 0 || end < begin) {
      throw new IllegalArgumentException("PEM block type must be CERTIFICATE REQUEST");
    }
    return new Der(Base64.getMimeDecoder().decode(pem.substring(begin + BEGIN.length(), end)));
  }

  public boolean hasNext() {
    return at < end;
  }

  /// What is inside the next element, which is a sequence or a set.
  public Der enter() {
    int tag = bytes[at] & 0xFF;
    if (tag != 0x30 && tag != 0x31) {
      throw new IllegalArgumentException("unexpected tag " + tag);
    }
    int length = header();
    at += length;
    return new Der(bytes, at - length, at);
  }

  /// The next element with its tag and length.
  public byte[] whole() {
    int from = at;
    int length = header();
    at += length;
    return Arrays.copyOfRange(bytes, from, at);
  }

  public byte[] content() {
    int length = header();
    at += length;
    return Arrays.copyOfRange(bytes, at - length, at);
  }

  /// The next element, an object identifier, in dots.
  public String oid() {
    var text = new StringBuilder();
    long value = 0;
    for (byte each : content()) {
      value = (value << 7) | (each & 0x7F);
      if (each >= 0) {
        if (text.isEmpty()) {
          long first = Math.min(value / 40, 2);
          text.append(first).append('.').append(value - 40 * first);
        } else {
          text.append('.').append(value);
        }
        value = 0;
      }
    }
    return text.toString();
  }

  /// Steps over tag and length, and returns the length of what follows.
  private int header() {
    at++;
    int length = bytes[at++] & 0xFF;
    if (length >= 0x80) {
      int size = length & 0x7F;
      length = 0;
      for (int i = 0; i < size && i < 4; i++) {
        length = (length << 8) | (bytes[at++] & 0xFF);
      }
    }
    if (length < 0 || length > end - at) {
      throw new IllegalArgumentException("length runs past the end");
    }
    return length;
  }
}
