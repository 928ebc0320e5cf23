/// Seeded random clusters and histories, and the search for the smallest one that still shows a
/// difference. Start at [RandomCases].
@NullMarked
package io.berth.conformance.random;

import org.jspecify.annotations.NullMarked;
