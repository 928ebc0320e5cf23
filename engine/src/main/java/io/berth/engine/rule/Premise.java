package io.berth.engine.rule;

/// Something a rule took for granted when it read a shape; while it holds, what was read is valid.
///
/// Asked before every decision, so it should look at a counter before it looks at anything else.
@FunctionalInterface
public interface Premise {

  Premise ALWAYS = () -> true;

  boolean holds();
}
