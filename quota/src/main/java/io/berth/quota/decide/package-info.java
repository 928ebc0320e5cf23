/// One pass: shares → who is next → where → whom to take from → reasons.
///
/// Start at [Pass]. [Division] deals out a pool, [Queue] keeps a unit's books, [Ground] asks the
/// engine for room, [VictimSearch] finds the fewest evictions that help.
@NullMarked
package io.berth.quota.decide;

import org.jspecify.annotations.NullMarked;
