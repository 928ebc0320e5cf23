package io.berth.engine.rule;

/// Scoring cannot go on because of the pod's own spec; the cycle ends with an error.
public final class ScoreException extends RuntimeException {

  private static final long serialVersionUID = 1;

  public ScoreException(String plugin, String problem) {
    super("running PreScore plugin \"%s\": %s".formatted(plugin, problem));
  }
}
