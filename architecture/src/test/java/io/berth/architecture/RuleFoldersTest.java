package io.berth.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// A rule knows itself: nothing in `engine` and `scheduler` names one outside its folder but the
/// class that makes it, and the list of Kubernetes' defaults.
class RuleFoldersTest {

  private static final Pattern RULE =
      Pattern.compile("class (\\w+) (?:extends \\w+ )?implements [^{]*\\b(?:Filter|Score)Rule\\b");
  private static final String REGISTRATION = "ProfileRules.java";
  private static final String DEFAULTS = "Profiles.java";

  @Test
  void nobodyNamesARuleOutsideItsFolder() throws IOException {
    var rules = rules();
    assertThat(rules).as("rules with their folders").hasSizeGreaterThan(15);
    var complaints = new TreeSet<String>();
    for (var file : Tree.javaFiles()) {
      if (isWatched(file)) {
        var text = Files.readString(file);
        rules.forEach((name, folder) -> {
          if (!folder.equals(file.getParent()) && names(text, name, folder)) {
            complaints.add(Tree.root().relativize(file) + " names the rule " + name);
          }
        });
      }
    }
    assertThat(complaints).isEmpty();
  }

  private static Map<String, Path> rules() throws IOException {
    var rules = new TreeMap<String, Path>();
    for (var file : Tree.javaFiles()) {
      if (file.toString().contains("/engine/src/main/java/io/berth/engine/rule/")) {
        var found = RULE.matcher(Files.readString(file));
        if (found.find()) {
          rules.put(found.group(1), file.getParent());
        }
      }
    }
    return rules;
  }

  private static boolean isWatched(Path file) {
    var path = Tree.root().relativize(file).toString();
    return (path.startsWith("engine/src/main/") || path.startsWith("scheduler/src/main/"))
        && !path.endsWith("/" + REGISTRATION)
        && !path.endsWith("/" + DEFAULTS);
  }

  /// Taking a rule's folder away breaks what registers it, and nothing else.
  @Test
  void nobodyUsesAClassOfARulesFolder() throws IOException {
    var folders = new TreeSet<>(rules().values().stream().map(Path::getFileName).toList());
    var complaints = new TreeSet<String>();
    for (var file : Tree.javaFiles()) {
      var text = Files.readString(file);
      for (var folder : folders) {
        var used = Pattern.compile("^[^/]*\\bio\\.berth\\.engine\\.rule\\." + folder + "\\.");
        boolean isOwn = file.toString().contains("/engine/rule/" + folder + "/");
        if (!isOwn && !file.endsWith(REGISTRATION) && uses(text, used)) {
          complaints.add(Tree.root().relativize(file) + " uses the folder of the rule " + folder);
        }
      }
    }
    assertThat(complaints).isEmpty();
  }

  private static boolean uses(String text, Pattern used) {
    return text.lines().anyMatch(line -> used.matcher(line).find());
  }

  /// Its class, by its full name as in an import, or its Kubernetes name in quotes.
  private static boolean names(String text, String name, Path folder) {
    var full = "io.berth.engine.rule." + folder.getFileName() + "." + name;
    var asClass = Pattern.compile("^[^/]*\\b" + Pattern.quote(full) + "\\b", Pattern.MULTILINE);
    var quoted = Pattern.compile("(?<!\\\\)\"" + name + "\"");
    return asClass.matcher(text).find() || quoted.matcher(text).find();
  }
}
