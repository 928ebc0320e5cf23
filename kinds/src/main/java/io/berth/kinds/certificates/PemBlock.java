package io.berth.kinds.certificates;

import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/// One block of a PEM text.
///
/// As in Go, what stands between blocks is skipped, and so is a block that is damaged.
record PemBlock(String type, boolean hasHeaders, String base64) {

  private static final String BEGIN = "-----BEGIN ";
  private static final String DASHES = "-----";

  /// Reads all blocks, in one pass.
  static List<PemBlock> all(String pem) {
    var blocks = new ArrayList<PemBlock>();
    int begin = pem.indexOf(BEGIN);
    while (begin >= 0) {
      int type = begin + BEGIN.length();
      int head = pem.indexOf(DASHES, type);
      int tail = head < 0 ? -1 : pem.indexOf(DASHES, head + DASHES.length());
      if (tail < 0) {
        break;
      }
      var name = pem.substring(type, head);
      var end = "-----END " + name + DASHES;
      if (isType(name) && pem.startsWith(end, tail)) {
        add(name, pem.substring(head + DASHES.length(), tail), blocks);
        tail += end.length();
      }
      begin = pem.indexOf(BEGIN, tail);
    }
    return blocks;
  }

  private static boolean isType(String text) {
    return !text.isEmpty()
        && text.chars().allMatch(c -> (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == ' ');
  }

  private static void add(String type, String content, List<PemBlock> blocks) {
    var lines = content.strip().lines().toList();
    int headers = 0;
    while (headers < lines.size() && lines.get(headers).contains(": ")) {
      headers++;
    }
    var base64 = new StringBuilder();
    lines.subList(headers, lines.size()).forEach(line -> base64.append(line.strip()));
    try {
      Base64.getDecoder().decode(base64.toString());
      blocks.add(new PemBlock(type, headers > 0, base64.toString()));
    } catch (IllegalArgumentException e) {
      // Damaged.
    }
  }

  byte[] bytes() {
    return Base64.getDecoder().decode(base64);
  }
}
