package io.berth.codec;

import io.berth.api.Tree;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.representer.Representer;
import org.yaml.snakeyaml.resolver.Resolver;

/// YAML text to trees and back, with kubectl's idea of YAML: no dates, no base-60 numbers.
///
/// Duplicate fields are refused; aliases, depth and size are bounded, so that a small document
/// cannot grow into a large one.
public final class Yaml {

  private static final int MAX_CHARACTERS = 3 << 20;
  private static final int MAX_ALIASES = 200;
  private static final int MAX_DEPTH = 200;

  private Yaml() {}

  /// Reads the first document, which must be an object.
  public static Tree read(String yaml) {
    var documents = readAll(yaml);
    if (documents.isEmpty()) {
      throw new SyntaxException("the document is empty", 1, 1);
    }
    return documents.getFirst();
  }

  /// Reads all documents; empty ones are left out, others must be objects.
  public static List<Tree> readAll(String yaml) {
    return readAll(yaml, MAX_CHARACTERS);
  }

  /// The same for a text of at most so many characters: a file that its reader named may be larger
  /// than what anybody may send.
  public static List<Tree> readAll(String yaml, int maxCharacters) {
    var documents = new ArrayList<Tree>();
    for (var value : load(yaml, loader(false, maxCharacters))) {
      if (value == null) {
        continue;
      }
      if (!(value instanceof Map<?, ?> map)) {
        throw new SyntaxException("expected a YAML mapping", 1, 1);
      }
      documents.add(tree(map));
    }
    return documents;
  }

  /// An object of a file, and where its parts stand.
  public record Placed(Tree tree, YamlPlaces places) {}

  /// As [#readAll(String)], for who has to point at what was written. Only `true` and `false` are
  /// truth values here, as in YAML 1.2: `on` may be the name of a field.
  public static List<Placed> readPlaced(String yaml) {
    var loader = loader(false, MAX_CHARACTERS, new PlainResolver());
    var values = load(yaml, loader);
    var placed = new ArrayList<Placed>();
    int index = 0;
    for (var root : loader.composeAll(new StringReader(Tabs.toSpaces(yaml)))) {
      var value = values.get(index++);
      var places = new YamlPlaces(root);
      if (value instanceof Map<?, ?> map) {
        placed.add(new Placed(tree(map), places));
      } else if (value != null) {
        var at = places.find(List.of());
        throw new SyntaxException("expected a YAML mapping", at.line(), at.column());
      }
    }
    return placed;
  }

  /// Reads the first document as a Kubernetes API server reads a body: the last of duplicate fields
  /// wins, fields are sorted by name, and the answer says in Kubernetes' words what was repeated.
  public static Document readReporting(String yaml) {
    var loader = loader(true, MAX_CHARACTERS);
    try {
      var text = Tabs.toSpaces(yaml);
      // As in Kubernetes, what follows the first document is not even read.
      var documents = loader.composeAll(new StringReader(text)).iterator();
      if (!documents.hasNext()) {
        return new Document(null, Map.of(), List.of());
      }
      var root = documents.next();
      YamlSize.check(root);
      var complaints = new ArrayList<String>();
      findDuplicates(root, complaints, Collections.newSetFromMap(new IdentityHashMap<>()));
      var value = loader.loadAll(text).iterator().next();
      return new Document(sorted(value(value)), Map.of(), complaints);
    } catch (YAMLException e) {
      throw syntax(e);
    } catch (IllegalArgumentException | IndexOutOfBoundsException | ClassCastException e) {
      // The library lets these out for broken escapes, numbers and keys, without a place.
      throw new SyntaxException("not YAML: " + e.getMessage(), 1, 1);
    } catch (StackOverflowError e) {
      throw new SyntaxException("nested too deeply", 1, 1);
    }
  }

  public static String write(@Nullable Object value) {
    var options = new DumperOptions();
    options.setDefaultFlowStyle(DumperOptions.FlowStyle.BLOCK);
    options.setIndicatorIndent(0);
    options.setSplitLines(false);
    return new org.yaml.snakeyaml.Yaml(new Representer(options), options).dump(plain(value));
  }

  private static List<@Nullable Object> load(String yaml, org.yaml.snakeyaml.Yaml loader) {
    try {
      var values = new ArrayList<@Nullable Object>();
      var text = Tabs.toSpaces(yaml);
      loader.composeAll(new StringReader(text)).forEach(YamlSize::check);
      loader.loadAll(text).forEach(values::add);
      return values;
    } catch (YAMLException e) {
      throw syntax(e);
    } catch (IllegalArgumentException | IndexOutOfBoundsException | ClassCastException e) {
      // The library lets these out for broken escapes, numbers and keys, without a place.
      throw new SyntaxException("not YAML: " + e.getMessage(), 1, 1);
    } catch (StackOverflowError e) {
      throw new SyntaxException("nested too deeply", 1, 1);
    }
  }

  private static org.yaml.snakeyaml.Yaml loader(boolean duplicates, int maxCharacters) {
    return loader(duplicates, maxCharacters, new KubectlResolver());
  }

  private static org.yaml.snakeyaml.Yaml loader(
      boolean duplicates, int maxCharacters, Resolver resolver) {
    var options = new LoaderOptions();
    // Whoever sends keys twice is told; nobody may fill the log with them.
    options.setWarnOnDuplicateKeys(false);
    options.setAllowDuplicateKeys(duplicates);
    options.setMaxAliasesForCollections(MAX_ALIASES);
    options.setNestingDepthLimit(MAX_DEPTH);
    options.setCodePointLimit(maxCharacters);
    return new org.yaml.snakeyaml.Yaml(
        new SafeConstructor(options),
        new Representer(new DumperOptions()),
        new DumperOptions(),
        options,
        resolver);
  }

  private static SyntaxException syntax(YAMLException e) {
    if (!(e instanceof MarkedYAMLException marked)) {
      return new SyntaxException(String.valueOf(e.getMessage()), 1, 1);
    }
    var mark = marked.getProblemMark();
    return new SyntaxException(
        marked.getProblem() == null ? "not YAML" : worded(marked.getProblem()),
        mark == null ? 1 : mark.getLine() + 1,
        mark == null ? 1 : mark.getColumn() + 1);
  }

  /// In Go's words, where the library has words of its own.
  private static String worded(String problem) {
    var unknown = "that cannot start any token";
    return problem.startsWith("found character ") && problem.contains(unknown)
        ? "found character " + unknown
        : problem;
  }

  private static void findDuplicates(Node node, List<String> complaints, Set<Node> seen) {
    if (!seen.add(node)) {
      return;
    }
    if (node instanceof SequenceNode sequence) {
      for (var element : sequence.getValue()) {
        findDuplicates(element, complaints, seen);
      }
    } else if (node instanceof MappingNode mapping) {
      var names = new HashSet<String>();
      for (var tuple : mapping.getValue()) {
        if (tuple.getKeyNode() instanceof ScalarNode key && !names.add(key.getValue())) {
          var line = key.getStartMark().getLine() + 1;
          complaints.add("line %d: key \"%s\" already set in map".formatted(line, key.getValue()));
        }
        findDuplicates(tuple.getValueNode(), complaints, seen);
      }
    }
  }

  private static @Nullable Object sorted(@Nullable Object value) {
    if (value instanceof Tree tree) {
      var sorted = new Tree();
      tree.names().stream().sorted().forEach(name -> sorted.put(name, sorted(tree.get(name))));
      return sorted;
    }
    if (value instanceof List<?> list) {
      var sorted = new ArrayList<@Nullable Object>(list.size());
      for (var element : list) {
        sorted.add(sorted(element));
      }
      return sorted;
    }
    return value;
  }

  private static Tree tree(Map<?, ?> map) {
    var tree = new Tree();
    map.forEach((name, value) -> tree.put(String.valueOf(name), value(value)));
    return tree;
  }

  private static @Nullable Object value(@Nullable Object value) {
    return switch (value) {
      case null -> null;
      case Map<?, ?> map -> tree(map);
      case List<?> list -> {
        var converted = new ArrayList<@Nullable Object>(list.size());
        for (var element : list) {
          converted.add(value(element));
        }
        yield converted;
      }
      case Integer number -> (long) number;
      case java.math.BigInteger number -> number.doubleValue();
      case byte[] bytes -> java.util.Base64.getEncoder().encodeToString(bytes);
      case String text -> text;
      case Long number -> number;
      case Double number -> number;
      case Boolean flag -> flag;
      default -> String.valueOf(value);
    };
  }

  private static @Nullable Object plain(@Nullable Object value) {
    if (value instanceof Tree tree) {
      var map = new java.util.LinkedHashMap<String, @Nullable Object>();
      tree.fields().forEach((name, each) -> map.put(name, plain(each)));
      return map;
    }
    if (value instanceof List<?> list) {
      var plain = new ArrayList<@Nullable Object>(list.size());
      for (var element : list) {
        plain.add(plain(element));
      }
      return plain;
    }
    return value;
  }

  /// Leaves out the resolvers for times and for `12:30:45`: kubectl reads both as text.
  private static class KubectlResolver extends Resolver {

    @Override
    protected void addImplicitResolvers() {
      addTruth();
      addImplicitResolver(Tag.INT, INTEGER, "-+0123456789");
      addImplicitResolver(Tag.FLOAT, FLOAT, "-+0123456789.");
      addImplicitResolver(Tag.MERGE, MERGE, "<");
      addImplicitResolver(Tag.NULL, NULL, "~nN\0");
      addImplicitResolver(Tag.NULL, EMPTY, null);
    }

    void addTruth() {
      addImplicitResolver(Tag.BOOL, BOOL, "yYnNtTfFoO");
    }

    private static final java.util.regex.Pattern INTEGER =
        java.util.regex.Pattern.compile("[-+]?(?:0|[1-9][0-9]*|0o?[0-7]+|0x[0-9a-fA-F]+)");
  }

  /// Takes `on`, `yes` and their like for text.
  private static final class PlainResolver extends KubectlResolver {

    private static final java.util.regex.Pattern TRUTH =
        java.util.regex.Pattern.compile("true|True|TRUE|false|False|FALSE");

    @Override
    void addTruth() {
      addImplicitResolver(Tag.BOOL, TRUTH, "tTfF");
    }
  }
}
