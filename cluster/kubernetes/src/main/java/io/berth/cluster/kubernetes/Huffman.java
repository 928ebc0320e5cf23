package io.berth.cluster.kubernetes;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/// The code in which HTTP/2 shortens texts (RFC 7541, appendix B).
///
/// Codes ascend with their length and, among equals, with the symbol, so the lengths say all.
final class Huffman {

  private static final int SHORTEST = 5;
  private static final int LONGEST = 30;
  private static final int END = 256;

  // One letter a symbol, 'A' for a code of five bits; the last is the end, which is never sent.
  private static final String LENGTHS =
      "ISXXXXXXXTZXXZXXXXXXXXZXXXXXXXXXBFFHIBDGFFDGDBBBAAABBBBBBBCDKBHF"
          + "IBCCCCCCCCCCCCCCCCCCCCCCDCDIOIJBKABABABBBACCBBBABCBAABCCCCCKGJIX"
          + "PRPPRRRSRSSSSSTSTTRSTSSSSQRSRSSTRQPRRSSQSRRTQRSSQQRQSRSSPRRRSRRS"
          + "VVPORSRUVVVWWVTUOQVWWVWTQQVVXWWWPTPQRQQSRRUUTTVSVWVVWWWWWXWWWWWV"
          + "Z";

  private static final int[] SYMBOLS = new int[END + 1];
  private static final int[] FIRST_CODE = new int[LONGEST + 1];
  private static final int[] FIRST_INDEX = new int[LONGEST + 2];

  static {
    int index = 0;
    int code = 0;
    for (int length = SHORTEST; length <= LONGEST; length++) {
      FIRST_CODE[length] = code;
      FIRST_INDEX[length] = index;
      for (int symbol = 0; symbol <= END; symbol++) {
        if (LENGTHS.charAt(symbol) - 'A' + SHORTEST == length) {
          SYMBOLS[index++] = symbol;
        }
      }
      code = (code + index - FIRST_INDEX[length]) << 1;
    }
    FIRST_INDEX[LONGEST + 1] = index;
  }

  private Huffman() {}

  static String decode(byte[] bytes, int offset, int length) throws IOException {
    // The shortest code has five bits.
    var text = new byte[length * 8 / SHORTEST];
    int size = 0;
    int code = 0;
    int bits = 0;
    for (int i = 0; i < 8 * length; i++) {
      code = (code << 1) | ((bytes[offset + (i >> 3)] >> (7 - (i & 7))) & 1);
      bits++;
      int symbol = symbol(code, bits);
      if (symbol >= 0) {
        text[size++] = (byte) symbol;
        code = 0;
        bits = 0;
      }
    }
    if (bits > 7 || code != (1 << bits) - 1) {
      throw new IOException("malformed Huffman code in the answer's headers");
    }
    return new String(text, 0, size, StandardCharsets.ISO_8859_1);
  }

  private static int symbol(int code, int bits) throws IOException {
    if (bits < SHORTEST) {
      return -1;
    }
    int index = FIRST_INDEX[bits] + code - FIRST_CODE[bits];
    if (index >= FIRST_INDEX[bits + 1]) {
      if (bits == LONGEST) {
        throw new IOException("malformed Huffman code in the answer's headers");
      }
      return -1;
    }
    if (SYMBOLS[index] == END) {
      throw new IOException("malformed Huffman code in the answer's headers");
    }
    return SYMBOLS[index];
  }
}
