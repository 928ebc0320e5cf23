package io.berth.architecture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// The files of this repository.
final class Tree {

  private Tree() {}

  static Path root() {
    return Path.of(System.getProperty("berth.root"));
  }

  static List<Path> javaFiles() throws IOException {
    return filesEndingIn(".java");
  }

  static List<Path> filesEndingIn(String suffix) throws IOException {
    try (var files = Files.walk(root())) {
      return files
          .filter(file -> file.toString().endsWith(suffix))
          .filter(Tree::isSource)
          .sorted()
          .toList();
    }
  }

  private static boolean isSource(Path file) {
    for (var part : root().relativize(file)) {
      var name = part.toString();
      if (name.equals("target") || name.equals("node_modules") || name.equals(".git")) {
        return false;
      }
    }
    return true;
  }
}
