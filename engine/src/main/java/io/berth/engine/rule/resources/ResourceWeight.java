package io.berth.engine.rule.resources;

/// How much a resource counts in a score.
public record ResourceWeight(String name, long weight) {}
