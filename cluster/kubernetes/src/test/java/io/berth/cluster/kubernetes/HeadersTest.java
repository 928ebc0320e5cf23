package io.berth.cluster.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Headers of HTTP/2: the examples of RFC 7541, and what must not be accepted.
class HeadersTest {

  private final HeaderReader reader = new HeaderReader();

  private void read(String hex) throws IOException {
    var bytes = HexFormat.of().parseHex(hex.replace(" ", ""));
    reader.read(bytes, 0, bytes.length);
  }

  @ParameterizedTest
  @CsvSource({
    "f1e3c2e5f23a6ba0ab90f4ff, www.example.com",
    "a8eb10649cbf, no-cache",
    "25a849e95ba97d7f, custom-key",
    "25a849e95bb8e8b4bf, custom-value",
    "6402, 302",
    "9d29ad171863c78f0b97c8e9ae82ae43d3, https://www.example.com",
  })
  void shortenedTextsAreReadable(String hex, String text) throws IOException {
    var bytes = HexFormat.of().parseHex(hex);

    assertThat(Huffman.decode(bytes, 0, bytes.length)).isEqualTo(text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"00", "ffffffff", "f1e3c2e5f23a6ba0ab90f4ffff", "64"})
  void malformedTextsAreRefused(String hex) {
    var bytes = HexFormat.of().parseHex(hex);

    assertThatThrownBy(() -> Huffman.decode(bytes, 0, bytes.length))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("Huffman");
  }

  @Test
  void anAnswerWithShortenedHeadersIsRead() throws IOException {
    read(
        "4882 6402 5885 aec3 771a 4b61 96d0 7abe 9410 54d4 44a8 2005 9504 0b81 66e0 82a6"
            + "2d1b ff6e 919d 29ad 1718 63c7 8f0b 97c8 e9ae 82ae 43d3");

    assertThat(reader.status()).isEqualTo(302);
    assertThat(reader.contentType()).isEmpty();
  }

  @Test
  void statusTypeAndRetryAreReadHoweverTheyAreWritten() throws IOException {
    read("20 88 0f10 03 612f62 0f26 02 3132");
    assertThat(reader.status()).isEqualTo(200);
    assertThat(reader.contentType()).isEqualTo("a/b");
    assertThat(reader.retryAfterSeconds()).isEqualTo(12);

    read("00 07 3a737461747573 03 343239 00 0c 636f6e74656e742d74797065 03 632f64");
    assertThat(reader.status()).isEqualTo(429);
    assertThat(reader.contentType()).isEqualTo("c/d");
    assertThat(reader.retryAfterSeconds()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"be", "80", "0f10", "0f1005 61", "ffffffffffffff"})
  void whatIsNotInTheTableOrCutOffIsRefused(String hex) {
    assertThatThrownBy(() -> read(hex)).isInstanceOf(IOException.class);
  }

  @Test
  void whatIsTheSameInAllRequestsIsSentOnce() {
    var writer = new HeaderWriter();
    var first = written(writer, "/a");
    var second = written(writer, "/b");

    assertThat(first).hasSizeGreaterThan(40);
    // GET, the scheme, the two that were sent before, and the path.
    assertThat(HexFormat.of().formatHex(second)).isEqualTo("8287" + "bfbe" + "04022f62");
  }

  @Test
  void aSmallerTableForgetsTheOldestAndSaysSo() {
    var writer = new HeaderWriter();
    written(writer, "/a");
    writer.limit(80);

    var again = HexFormat.of().formatHex(written(writer, "/a"));

    // The new size, 80, comes first; then the header that was forgotten is spelled out, which
    // drives out the other.
    assertThat(again).startsWith("3f31" + "8287" + "4106686f73742d61" + "571b");
  }

  @Test
  void aTokenTooLongForTheTableIsSpelledOutEachTime() {
    var writer = new HeaderWriter();
    var token = "t".repeat(5000);
    for (int i = 0; i < 2; i++) {
      var out = new FrameBuffer();
      writer.kept(out, HeaderWriter.AUTHORIZATION, token);
      assertThat(out.length()).isGreaterThan(5000);
    }
  }

  private static byte[] written(HeaderWriter writer, String path) {
    var out = new FrameBuffer();
    writer.begin(out);
    writer.method(out, "GET");
    writer.scheme(out);
    writer.kept(out, HeaderWriter.AUTHORITY, "host-a");
    writer.kept(out, HeaderWriter.AUTHORIZATION, "Bearer 12345678901234567890"); // not a secret
    writer.once(out, HeaderWriter.PATH, path);
    return Arrays.copyOf(out.bytes(), out.length());
  }
}
