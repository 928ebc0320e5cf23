package io.berth.controllers.runtime;

import io.berth.api.Tree;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// A short, stable name for a pod template: FNV-1a over its canonical text, in letters that form no
/// words and are safe in names.
public final class TemplateHash {

  private static final String ALPHABET = "bcdfghjklmnpqrstvwxz2456789";

  private TemplateHash() {}

  /// `collisions` makes another name for the same template when the first one is taken.
  public static String of(Tree template, @Nullable Long collisions) {
    var hash = new Hash();
    hash.add(template);
    if (collisions != null) {
      hash.add(Long.toString(collisions));
    }
    return safe(Integer.toUnsignedString(hash.value));
  }

  /// As in Kubernetes: each character is replaced by one of the alphabet.
  static String safe(String text) {
    var safe = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      safe.append(ALPHABET.charAt(text.charAt(i) % ALPHABET.length()));
    }
    return safe.toString();
  }

  private static final class Hash {
    private int value = 0x811c9dc5;

    void add(@Nullable Object part) {
      switch (part) {
        case Tree tree -> {
          for (var name : new TreeSet<>(tree.names())) {
            add(name);
            add(":");
            add(tree.get(name));
          }
          add("}");
        }
        case List<?> list -> {
          list.forEach(this::add);
          add("]");
        }
        case null -> add("null");
        default -> {
          var text = part.toString();
          for (int i = 0; i < text.length(); i++) {
            value = (value ^ text.charAt(i)) * 0x01000193;
          }
          value = (value ^ 0xff) * 0x01000193;
        }
      }
    }
  }
}
