/// Controllers for what belongs to the cluster itself: garbage, namespaces, accounts, quotas,
/// endpoints, disruption budgets, volumes.
///
/// Start at [GarbageCollector] and [Namespaces], which let things go; the others each keep one
/// status or one derived object true.
@NullMarked
package io.berth.controllers.core;

import org.jspecify.annotations.NullMarked;
