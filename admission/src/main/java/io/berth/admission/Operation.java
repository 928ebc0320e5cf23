package io.berth.admission;

/// What a request does, as admission sees it.
public enum Operation {
  CREATE,
  UPDATE,
  DELETE,
  CONNECT
}
