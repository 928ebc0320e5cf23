@NullMarked
package io.berth.kinds.core;

import org.jspecify.annotations.NullMarked;
