/// The parts of a pass on their own.
@NullMarked
package io.berth.quota.decide;

import org.jspecify.annotations.NullMarked;
