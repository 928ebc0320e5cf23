package io.berth.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// Links in documents lead somewhere: to a file of the repository, and to a heading in it.
class DocumentsTest {

  private static final Pattern LINK = Pattern.compile("\\[[^\\]]*\\]\\(([^)\\s]+)\\)");
  private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} +(.*)$");

  @Test
  void linksLeadSomewhere() throws Exception {
    var broken = new TreeSet<String>();
    for (var document : Tree.filesEndingIn(".md")) {
      var matcher = LINK.matcher(withoutCode(Files.readString(document)));
      while (matcher.find()) {
        var target = matcher.group(1);
        if (!URI.create(target).isAbsolute() && !leadsSomewhere(document, target)) {
          broken.add(Tree.root().relativize(document) + ": " + target);
        }
      }
    }
    assertThat(broken).as("links that lead nowhere").isEmpty();
  }

  private static boolean leadsSomewhere(Path document, String target) throws Exception {
    var parts = target.split("#", 2);
    var file = parts[0].isEmpty() ? document : document.resolveSibling(parts[0]).normalize();
    if (!Files.exists(file)) {
      return false;
    }
    return parts.length == 1
        || HEADING
            .matcher(Files.readString(file))
            .results()
            .anyMatch(heading -> anchor(heading.group(1)).equals(parts[1]));
  }

  private static String anchor(String heading) {
    return heading.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-');
  }

  // Fenced blocks are examples; their brackets are no links.
  private static String withoutCode(String text) {
    return Pattern.compile("(?ms)^```.*?^```").matcher(text).replaceAll(m -> blank(m.group()));
  }

  private static String blank(String block) {
    return "\n".repeat((int) block.chars().filter(c -> c == '\n').count());
  }
}
