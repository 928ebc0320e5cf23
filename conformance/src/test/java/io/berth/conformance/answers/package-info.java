/// Takes answers at their word on random clusters.
@NullMarked
package io.berth.conformance.answers;

import org.jspecify.annotations.NullMarked;
