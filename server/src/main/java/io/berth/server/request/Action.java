package io.berth.server.request;

/// What is done to a resource: worked out once, by [RequestInfo], and then both authorized and
/// carried out. Nobody after that asks for the HTTP method again.
public enum Action {
  GET("get"),
  LIST("list"),
  WATCH("watch"),
  CREATE("create"),
  UPDATE("update"),
  PATCH("patch"),
  DELETE("delete"),
  DELETE_COLLECTION("deletecollection"),
  /// Nothing, whatever the request was authorized as: its method does not belong to its path.
  NONE("");

  private final String verb;

  Action(String verb) {
    this.verb = verb;
  }

  /// The name that roles and the audit log have for it.
  public String verb() {
    return verb;
  }
}
