/// The kinds of `policy`: disruption budgets.
@NullMarked
package io.berth.kinds.policy;

import org.jspecify.annotations.NullMarked;
