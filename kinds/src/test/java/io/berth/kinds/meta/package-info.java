@NullMarked
package io.berth.kinds.meta;

import org.jspecify.annotations.NullMarked;
