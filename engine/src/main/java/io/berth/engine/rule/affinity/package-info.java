/// Nearness: to nodes by their labels ([NodeAffinity]), to other pods by theirs
/// ([InterPodAffinity]).
@NullMarked
package io.berth.engine.rule.affinity;

import org.jspecify.annotations.NullMarked;
