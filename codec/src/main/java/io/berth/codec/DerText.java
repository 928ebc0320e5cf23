package io.berth.codec;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.function.IntPredicate;

/// The kinds of text that names in certificates are written in.
///
/// Mirrors: crypto/x509.parseASN1String
final class DerText {

  private static final int UTF8 = 0x0c;
  private static final int NUMERIC = 0x12;
  private static final int PRINTABLE = 0x13;
  private static final int T61 = 0x14;
  private static final int IA5 = 0x16;
  private static final int BMP = 0x1e;

  private DerText() {}

  static String decode(int tag, byte[] content) {
    return switch (tag) {
      case UTF8 -> strict(StandardCharsets.UTF_8, content, "invalid UTF-8 string");
      case NUMERIC -> numeric(strict(StandardCharsets.US_ASCII, content, "invalid NumericString"));
      case PRINTABLE ->
          printable(strict(StandardCharsets.US_ASCII, content, "invalid PrintableString"));
      // Nearly Latin-1, and taken as such by everybody.
      case T61 -> new String(content, StandardCharsets.ISO_8859_1);
      case IA5 -> strict(StandardCharsets.US_ASCII, content, "invalid IA5String");
      case BMP -> basicPlane(content);
      default -> throw new IllegalArgumentException("unsupported string type: " + tag);
    };
  }

  private static String strict(Charset charset, byte[] content, String complaint) {
    try {
      return charset.newDecoder().decode(ByteBuffer.wrap(content)).toString();
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException(complaint, e);
    }
  }

  private static String numeric(String text) {
    return all(text, c -> c == ' ' || isDigit(c), "invalid NumericString");
  }

  /// `*` and `&` do not belong there, but are common.
  private static String printable(String text) {
    return all(
        text,
        c ->
            isDigit(c)
                || (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || " '()+,-./:=?*&".indexOf(c) >= 0,
        "invalid PrintableString");
  }

  /// Two bytes a character, perhaps with a zero at the end; no surrogates, no noncharacters.
  private static String basicPlane(byte[] content) {
    if (content.length % 2 != 0) {
      throw new IllegalArgumentException("invalid BMPString");
    }
    var text = new String(content, StandardCharsets.UTF_16BE);
    return all(
        text.endsWith("\0") ? text.substring(0, text.length() - 1) : text,
        c -> !Character.isSurrogate((char) c) && c < 0xfffe && (c < 0xfdd0 || c > 0xfdef),
        "invalid BMPString");
  }

  private static boolean isDigit(int c) {
    return c >= '0' && c <= '9';
  }

  private static String all(String text, IntPredicate allowed, String complaint) {
    if (!text.chars().allMatch(allowed)) {
      throw new IllegalArgumentException(complaint);
    }
    return text;
  }
}
