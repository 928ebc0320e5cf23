package io.berth.codec;

import io.berth.api.Tree;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.util.DefaultPrettyPrinter;

/// JSON text to trees and back.
public final class Json {

  /// Deeper documents are refused: no Kubernetes object comes near.
  private static final int MAX_DEPTH = 512;

  /// Beyond any body. Names too: who owns which fields is written in names that hold values.
  private static final int MAX_TEXT = 64 << 20;

  private static final StreamReadConstraints LIMITS =
      StreamReadConstraints.builder()
          .maxNestingDepth(MAX_DEPTH)
          .maxStringLength(MAX_TEXT)
          .maxNameLength(MAX_TEXT)
          .maxNumberLength(400)
          .build();

  private static final JsonFactory STRICT =
      JsonFactory.builder()
          .streamReadConstraints(LIMITS)
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .build();

  static final JsonFactory LENIENT = JsonFactory.builder().streamReadConstraints(LIMITS).build();

  private Json() {}

  /// Reads one object; duplicate fields are refused.
  public static Tree read(byte[] json) {
    return object(readValue(json));
  }

  public static Tree read(String json) {
    return read(json.getBytes(StandardCharsets.UTF_8));
  }

  /// Reads any JSON value; duplicate fields are refused.
  public static @Nullable Object readValue(byte[] json) {
    try (var parser = parser(STRICT, json)) {
      return readWhole(parser);
    } catch (JacksonException e) {
      throw syntax(e);
    }
  }

  /// Reads one object; the last of duplicate fields wins, as in Kubernetes' lenient decoding.
  public static Tree readLenient(byte[] json) {
    try (var parser = parser(LENIENT, json)) {
      return object(readWhole(parser));
    } catch (JacksonException e) {
      throw syntax(e);
    }
  }

  /// Reads any JSON value; the last of duplicate fields wins, and the answer says which there were.
  /// Complaints are worded as Go words them.
  public static Document readReporting(byte[] json) {
    try (var parser = parser(LENIENT, json)) {
      var duplicates = new IdentityHashMap<Tree, Set<String>>();
      var value = readWhole(parser, duplicates);
      return new Document(value, duplicates, List.of());
    } catch (JacksonException e) {
      throw inWordsOfGo(syntax(e), json);
    } catch (SyntaxException e) {
      throw inWordsOfGo(e, json);
    }
  }

  public static Tree read(InputStream json) {
    try (var parser = STRICT.createParser(ObjectReadContext.empty(), json)) {
      return object(readWhole(parser));
    } catch (JacksonException e) {
      throw syntax(e);
    }
  }

  public static byte[] write(@Nullable Object value) {
    return JsonBytes.of(value);
  }

  public static void write(@Nullable Object value, OutputStream out) {
    try (var generator = LENIENT.createGenerator(ObjectWriteContext.empty(), out)) {
      writeValue(value, generator);
    }
  }

  public static String text(@Nullable Object value) {
    return new String(write(value), StandardCharsets.UTF_8);
  }

  /// Indented by two spaces, for people.
  public static String pretty(@Nullable Object value) {
    var bytes = new ByteArrayOutputStream(1024);
    var context =
        new ObjectWriteContext.Base() {
          @Override
          public tools.jackson.core.PrettyPrinter getPrettyPrinter() {
            return new DefaultPrettyPrinter();
          }

          @Override
          public boolean hasPrettyPrinter() {
            return true;
          }
        };
    try (var generator = LENIENT.createGenerator(context, bytes)) {
      writeValue(value, generator);
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  /// The library takes a zero byte or a mark at the beginning for UTF-16 or UTF-32; here JSON is
  /// UTF-8, as in Kubernetes.
  private static JsonParser parser(JsonFactory factory, byte[] json) {
    for (int i = 0; i < Math.min(4, json.length); i++) {
      if (json[i] == 0 || json[i] == (byte) 0xFE || json[i] == (byte) 0xFF) {
        throw new SyntaxException(
            "invalid character '\\x%02x' looking for beginning of value".formatted(json[i]),
            1,
            i + 1);
      }
    }
    if (json.length > 0 && json[0] == (byte) 0xEF) {
      throw new SyntaxException("invalid character 'ï' looking for beginning of value", 1, 1);
    }
    return factory.createParser(ObjectReadContext.empty(), json);
  }

  private static Tree object(@Nullable Object value) {
    if (value instanceof Tree tree) {
      return tree;
    }
    throw new SyntaxException("expected a JSON object", 1, 1);
  }

  private static @Nullable Object readWhole(JsonParser parser) {
    return readWhole(parser, null);
  }

  private static @Nullable Object readWhole(
      JsonParser parser, @Nullable Map<Tree, Set<String>> duplicates) {
    var first = parser.nextToken();
    if (first == null) {
      throw new SyntaxException("unexpected end of JSON input", 1, 1);
    }
    var value = value(parser, first, duplicates);
    if (parser.nextToken() != null) {
      var at = parser.currentTokenLocation();
      throw new SyntaxException(
          "unexpected text after the JSON value", at.getLineNr(), at.getColumnNr());
    }
    return value;
  }

  private static @Nullable Object value(
      JsonParser parser, JsonToken token, @Nullable Map<Tree, Set<String>> duplicates) {
    return switch (token) {
      case START_OBJECT -> {
        var tree = new Tree();
        for (var name = parser.nextName(); name != null; name = parser.nextName()) {
          if (duplicates != null && tree.has(name)) {
            duplicates.computeIfAbsent(tree, _ -> new HashSet<>()).add(name);
            tree.remove(name);
          }
          tree.put(name, value(parser, parser.nextToken(), duplicates));
        }
        yield tree;
      }
      case START_ARRAY -> {
        List<@Nullable Object> list = new ArrayList<>();
        for (var next = parser.nextToken();
            next != JsonToken.END_ARRAY;
            next = parser.nextToken()) {
          list.add(value(parser, next, duplicates));
        }
        yield list;
      }
      default -> scalar(parser, token);
    };
  }

  /// The text, number, truth value or `null` at this token.
  static @Nullable Object scalar(JsonParser parser, JsonToken token) {
    return switch (token) {
      case VALUE_STRING -> parser.getString();
      case VALUE_NUMBER_INT -> integer(parser);
      case VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
      case VALUE_TRUE -> Boolean.TRUE;
      case VALUE_FALSE -> Boolean.FALSE;
      case VALUE_NULL -> null;
      default -> throw new SyntaxException("unexpected token " + token, 1, 1);
    };
  }

  private static Object integer(JsonParser parser) {
    return switch (parser.getNumberType()) {
      case INT, LONG -> parser.getLongValue();
      default -> parser.getDoubleValue();
    };
  }

  private static void writeValue(@Nullable Object value, JsonGenerator generator) {
    switch (value) {
      case null -> generator.writeNull();
      case String text -> generator.writeString(text);
      case Long number -> generator.writeNumber(number);
      case Integer number -> generator.writeNumber(number);
      case Double number -> writeDouble(number, generator);
      case Boolean flag -> generator.writeBoolean(flag);
      case Tree tree -> {
        generator.writeStartObject();
        tree.forEach((name, field) -> {
          generator.writeName(name);
          writeValue(field, generator);
        });
        generator.writeEndObject();
      }
      case List<?> list -> {
        generator.writeStartArray();
        for (var element : list) {
          writeValue(element, generator);
        }
        generator.writeEndArray();
      }
      default -> throw new IllegalArgumentException("a tree cannot hold a " + value.getClass());
    }
  }

  // Whole doubles are written without a fraction, as Go does.
  private static void writeDouble(double number, JsonGenerator generator) {
    if (number == Math.rint(number) && Math.abs(number) < 1e15) {
      generator.writeNumber((long) number);
    } else {
      generator.writeNumber(number);
    }
  }

  private static SyntaxException inWordsOfGo(SyntaxException e, byte[] json) {
    var complaint = GoSyntax.complaint(json);
    return complaint == null ? e : new SyntaxException(complaint, e.line(), e.column());
  }

  static SyntaxException syntax(JacksonException e) {
    var at = e.getLocation();
    var message = e.getOriginalMessage();
    return at == null
        ? new SyntaxException(message, 1, 1)
        : new SyntaxException(message, Math.max(1, at.getLineNr()), Math.max(1, at.getColumnNr()));
  }
}
