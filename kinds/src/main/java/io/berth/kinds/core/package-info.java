/// The kinds of the core group, `v1`.
@NullMarked
package io.berth.kinds.core;

import org.jspecify.annotations.NullMarked;
