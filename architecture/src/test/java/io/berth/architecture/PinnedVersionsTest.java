package io.berth.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/// What a build downloads is what it downloaded last time: every plugin and dependency has one
/// version.
class PinnedVersionsTest {

  /// What Maven runs by itself, in a version of its own choice unless told.
  private static final List<String> BY_ITSELF =
      List.of(
          "maven-clean-plugin",
          "maven-resources-plugin",
          "maven-compiler-plugin",
          "maven-surefire-plugin",
          "maven-jar-plugin",
          "maven-install-plugin",
          "maven-deploy-plugin",
          "maven-site-plugin");

  private static final Pattern FLOATING = Pattern.compile(".*SNAPSHOT|[\\[(].*|LATEST|RELEASE|");

  @Test
  void everyPluginHasAVersion() throws Exception {
    var managed = new HashSet<String>();
    var used = new HashSet<>(BY_ITSELF);
    for (var pom : Tree.filesEndingIn("pom.xml")) {
      for (var plugin : elements(pom, "plugin")) {
        used.add(child(plugin, "artifactId"));
        if (!child(plugin, "version").isEmpty()) {
          managed.add(child(plugin, "artifactId"));
        }
      }
    }

    assertThat(managed).containsAll(used);
  }

  @Test
  void noVersionFloats() throws Exception {
    var floating = new ArrayList<String>();
    for (var pom : Tree.filesEndingIn("pom.xml")) {
      for (var kind : Set.of("plugin", "dependency", "path", "parent")) {
        for (var element : elements(pom, kind)) {
          var version = child(element, "version");
          if (has(element, "version") && FLOATING.matcher(version).matches()) {
            floating.add(pom + ": " + child(element, "artifactId") + " " + version);
          }
        }
      }
    }

    assertThat(floating).isEmpty();
  }

  private static List<Element> elements(Path pom, String name) throws Exception {
    var document = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(pom.toFile());
    var nodes = document.getElementsByTagName(name);
    var found = new ArrayList<Element>();
    for (int i = 0; i < nodes.getLength(); i++) {
      found.add((Element) nodes.item(i));
    }
    return found;
  }

  private static boolean has(Element element, String name) {
    return childNode(element, name) != null;
  }

  private static String child(Element element, String name) {
    var node = childNode(element, name);
    return node == null ? "" : node.getTextContent().strip();
  }

  private static @Nullable Node childNode(Element element, String name) {
    for (var node = element.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (node.getNodeName().equals(name)) {
        return node;
      }
    }
    return null;
  }
}
