package io.berth.engine;

/// A part of a raw score, and what it is for. Parts add up to the score.
public record Summand(String what, long value) {}
