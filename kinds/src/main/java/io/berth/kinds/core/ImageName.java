package io.berth.kinds.core;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The tag of a container image reference, as far as defaults depend on it.
final class ImageName {

  // Loops of groups never go back (`*+`): otherwise each round of one is a frame on the stack.
  private static final String COMPONENT = "[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*+";
  private static final String DOMAIN_LABEL = "[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?";
  private static final String DOMAIN =
      "(?:" + DOMAIN_LABEL + "(?:\\." + DOMAIN_LABEL + ")*+|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?";

  private static final Pattern REFERENCE =
      Pattern.compile(
          "(?:(?<domain>%s)/)?(?<path>%s(?:/%s)*+)(?::(?<tag>\\w[\\w.-]{0,127}))?"
                  .formatted(DOMAIN, COMPONENT, COMPONENT)
              + "(?<digest>@[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*+:[0-9a-fA-F]{32,})?");

  private static final int MAX_PATH = 255;
  private static final int IDENTIFIER_LENGTH = 64;
  private static final Pattern IDENTIFIER = Pattern.compile("[a-f0-9]{64}");

  /// Images met lately: thousands of pods have the same.
  private static final AtomicReferenceArray<@Nullable Tagged> KNOWN =
      new AtomicReferenceArray<>(1 << 8);

  private ImageName() {}

  /// The tag, `latest` for an image with neither tag nor digest, `""` when there is none or the
  /// reference is malformed.
  static String tag(String image) {
    int place = image.hashCode() & KNOWN.length() - 1;
    var known = KNOWN.get(place);
    if (known == null || !known.image.equals(image)) {
      known = new Tagged(image, parsed(image));
      KNOWN.set(place, known);
    }
    return known.tag;
  }

  private static String parsed(String image) {
    var reference = REFERENCE.matcher(image);
    if ((image.length() == IDENTIFIER_LENGTH && IDENTIFIER.matcher(image).matches())
        || !reference.matches()
        || reference.group("path").length() > MAX_PATH) {
      return "";
    }
    var tag = reference.group("tag");
    if (tag != null) {
      return tag;
    }
    return reference.group("digest") == null ? "latest" : "";
  }

  private record Tagged(String image, String tag) {}
}
