package io.berth.workloads.rest;

import io.berth.workloads.access.Action;
import io.berth.workloads.access.ResourceType;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// One operation: where it is, who may call it, what it takes and answers, and what does it.
public final class Route {

  private final String method;
  private final String path;
  private final String name;
  private final Handler handler;
  private @Nullable ResourceType type;
  private @Nullable Action action;
  private boolean open;
  private String body = "";
  private final List<String> parameters = new ArrayList<>();
  private final Set<Integer> codes = new TreeSet<>();
  private String contentType = "application/json";
  private boolean silent;

  public Route(String method, String path, String name, Handler handler) {
    this.method = method;
    this.path = path;
    this.name = name;
    this.handler = handler;
  }

  /// Only for callers who may do this somewhere; the handler looks at the very object.
  public Route needs(Action action, ResourceType type) {
    this.action = action;
    this.type = type;
    return this;
  }

  /// Needs no token.
  public Route open() {
    this.open = true;
    return this;
  }

  /// The type of the body, as the table of types names it; a list in brackets.
  public Route takes(String type) {
    this.body = type;
    return this;
  }

  /// Query parameters; `name*` for required ones, `name[]` for lists.
  public Route query(String... names) {
    parameters.addAll(List.of(names));
    return this;
  }

  public Route answers(int... successes) {
    for (int code : successes) {
      codes.add(code);
    }
    return this;
  }

  /// Answers with these codes and no others.
  public Route answersOnly(int... all) {
    codes.clear();
    return answers(all);
  }

  /// Answers with something that is not JSON.
  public Route of(String contentType) {
    this.contentType = contentType;
    return this;
  }

  /// Answers successes without a body.
  public Route silently() {
    this.silent = true;
    return this;
  }

  public String contentType() {
    return contentType;
  }

  public boolean isSilent() {
    return silent;
  }

  /// Whether it does anything but say that Berth does not serve it.
  public boolean isServed() {
    return !codes.contains(501);
  }

  public String method() {
    return method;
  }

  public String path() {
    return path;
  }

  public String name() {
    return name;
  }

  public Handler handler() {
    return handler;
  }

  public @Nullable ResourceType type() {
    return type;
  }

  public @Nullable Action action() {
    return action;
  }

  public boolean isOpen() {
    return open;
  }

  public String body() {
    return body;
  }

  public List<String> parameters() {
    return parameters;
  }

  public Set<Integer> codes() {
    return codes;
  }

  List<String> segments() {
    return List.of(path.substring(1).split("/", -1));
  }
}
