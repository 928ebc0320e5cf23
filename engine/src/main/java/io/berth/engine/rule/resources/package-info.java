/// Room on nodes: whether a pod fits ([NodeResourcesFit]), and what its place does to the balance
/// ([NodeResourcesBalancedAllocation]).
@NullMarked
package io.berth.engine.rule.resources;

import org.jspecify.annotations.NullMarked;
