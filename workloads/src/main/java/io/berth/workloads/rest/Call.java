package io.berth.workloads.rest;

import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.codec.SyntaxException;
import io.berth.workloads.access.Caller;
import io.berth.workloads.http.Refusal;
import io.berth.workloads.http.Request;
import io.berth.workloads.types.Types;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A request that found its route: who calls, what the path holds, and the body when asked for.
public final class Call {

  private static final int MAX_BODY = 3 << 20;

  /// Who wants a token has little to say.
  private static final int MAX_OPEN_BODY = 16 << 10;

  private final Request request;
  private final Map<String, String> path;
  private final @Nullable Caller caller;
  private byte @Nullable [] bytes;

  Call(Request request, Map<String, String> path, @Nullable Caller caller) {
    this.request = request;
    this.path = path;
    this.caller = caller;
  }

  public Request request() {
    return request;
  }

  /// The part of the path that the route calls so.
  public String path(String name) {
    return Objects.requireNonNull(path.get(name), name);
  }

  public Caller caller() {
    return Objects.requireNonNull(caller, "an open route has no caller");
  }

  public String parameter(String name) {
    return request.parameter(name);
  }

  /// A parameter that must be there.
  public String required(String name) {
    var value = request.parameter(name);
    if (value.isEmpty()) {
      throw Refusal.badRequest("Required parameter is missing: " + name);
    }
    return value;
  }

  public boolean flag(String name) {
    return switch (request.parameter(name)) {
      case "" -> false;
      case "true", "True" -> true;
      case "false", "False" -> false;
      case String other ->
          throw Refusal.badRequest("%s: \"%s\" is neither true nor false".formatted(name, other));
    };
  }

  /// The values of a parameter that is a list: repeated, or joined by commas.
  public List<String> values(String name) {
    return request.parameters(name).stream()
        .flatMap(each -> List.of(each.split(",", -1)).stream())
        .map(String::strip)
        .filter(each -> !each.isEmpty())
        .toList();
  }

  public byte[] bytes() {
    if (bytes == null) {
      bytes = request.sender().body(request, caller == null ? MAX_OPEN_BODY : MAX_BODY);
    }
    return bytes;
  }

  /// The body, an object of this type; no body is an empty object.
  public Tree body(String type) {
    var value = value();
    if (value == null) {
      value = new Tree();
    }
    if (!(value instanceof Tree tree)) {
      throw Refusal.badRequest("Bad request - the body must be a JSON object");
    }
    if (!type.isEmpty()) {
      Types.REQUESTS.check(type, tree);
    }
    return withoutNulls(tree);
  }

  /// The body, a list of objects of this type; no body is an empty list.
  public List<Tree> bodies(String type) {
    var value = value();
    if (value == null) {
      return List.of();
    }
    if (!(value instanceof List<?>)) {
      throw Refusal.badRequest("Bad request - the body must be a JSON array");
    }
    Types.REQUESTS.check("[" + type + "]", value);
    return Tree.of("list", value).trees("list").stream().map(Call::withoutNulls).toList();
  }

  // One of the known clients encodes bodies twice: a JSON string that holds the JSON.
  private @Nullable Object value() {
    if (bytes().length == 0) {
      return null;
    }
    checkContentType(request.header("content-type"));
    var value = parsed(bytes());
    return value instanceof String text && (text.startsWith("{") || text.startsWith("["))
        ? parsed(text.getBytes(StandardCharsets.UTF_8))
        : value;
  }

  /// JSON may come without saying so; what says it is something else is not tried.
  private static void checkContentType(String type) {
    var media = type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
    if (!media.isEmpty() && !media.equals("application/json") && !media.endsWith("+json")) {
      throw new Refusal(
          415, "Content type \"%s\" is not supported; send application/json.".formatted(media));
    }
  }

  private static @Nullable Object parsed(byte[] json) {
    try {
      return Json.readValue(json);
    } catch (SyntaxException e) {
      throw Refusal.badRequest("Bad request - the body is no JSON: " + e.getMessage());
    }
  }

  /// Null and absent mean the same; what is stored and echoed has no nulls.
  public static Tree withoutNulls(Tree tree) {
    var clean = new Tree();
    tree.fields()
        .forEach((name, value) -> {
          if (value != null) {
            clean.put(name, cleaned(value));
          }
        });
    return clean;
  }

  private static @Nullable Object cleaned(@Nullable Object value) {
    return switch (value) {
      case Tree tree -> withoutNulls(tree);
      case List<?> list -> {
        var clean = new java.util.ArrayList<@Nullable Object>();
        for (var each : list) {
          if (each != null) {
            clean.add(cleaned(each));
          }
        }
        yield clean;
      }
      case null, default -> value;
    };
  }
}
