/// Decides where pods go: model → view → filter → score → pick → assume.
///
/// Start at [Decider], one decision from top to bottom. [Cycle] asks every rule about single nodes
/// and is what explanations and preemption use; [View] keeps the answers for a shape up to date so
/// that most decisions ask hardly anything.
@NullMarked
package io.berth.engine.decide;

import org.jspecify.annotations.NullMarked;
