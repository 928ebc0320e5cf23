package io.berth.codec;

import io.berth.api.Tree;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;

/// Reads what a Kubernetes API sends, leaving out fields that nobody here looks at: most of a pod
/// is probes, mounts and managed fields.
///
/// Only objects and lists are left out, so that a label or annotation may have the name of such a
/// field. The last of duplicate fields wins.
public final class ObjectJson {

  private final Set<String> ignored;

  /// `ignored` are names of fields at any depth.
  public ObjectJson(Set<String> ignored) {
    this.ignored = Set.copyOf(ignored);
  }

  public Tree read(byte[] json, int length) {
    try (var parser = Json.LENIENT.createParser(ObjectReadContext.empty(), json, 0, length)) {
      expect(parser.nextToken(), JsonToken.START_OBJECT, parser);
      return object(parser);
    } catch (JacksonException e) {
      throw Json.syntax(e);
    }
  }

  /// Reads a list object, hands over its items one by one, and returns the rest of it.
  public Tree readList(InputStream json, Consumer<Tree> item) {
    try (var parser = Json.LENIENT.createParser(ObjectReadContext.empty(), json)) {
      expect(parser.nextToken(), JsonToken.START_OBJECT, parser);
      var rest = new Tree();
      for (var name = parser.nextName(); name != null; name = parser.nextName()) {
        var token = parser.nextToken();
        if (name.equals("items") && token == JsonToken.START_ARRAY) {
          while (parser.nextToken() == JsonToken.START_OBJECT) {
            item.accept(object(parser));
          }
        } else {
          rest.put(name, value(parser, token));
        }
      }
      return rest;
    } catch (JacksonException e) {
      throw Json.syntax(e);
    }
  }

  private Tree object(JsonParser parser) {
    var tree = new Tree();
    for (var name = parser.nextName(); name != null; name = parser.nextName()) {
      var token = parser.nextToken();
      if (token.isStructStart() && ignored.contains(name)) {
        parser.skipChildren();
      } else {
        tree.put(name, value(parser, token));
      }
    }
    return tree;
  }

  private @Nullable Object value(JsonParser parser, JsonToken token) {
    return switch (token) {
      case START_OBJECT -> object(parser);
      case START_ARRAY -> list(parser);
      default -> Json.scalar(parser, token);
    };
  }

  private List<@Nullable Object> list(JsonParser parser) {
    List<@Nullable Object> list = new ArrayList<>();
    for (var next = parser.nextToken(); next != JsonToken.END_ARRAY; next = parser.nextToken()) {
      list.add(value(parser, next));
    }
    return list;
  }

  private static void expect(@Nullable JsonToken found, JsonToken expected, JsonParser parser) {
    if (found != expected) {
      var at = parser.currentTokenLocation();
      throw new SyntaxException("expected a JSON object", at.getLineNr(), at.getColumnNr());
    }
  }
}
