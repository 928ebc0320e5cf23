/// Tests of custom kinds: the paths of their columns and fields.
@NullMarked
package io.berth.kinds.custom;

import org.jspecify.annotations.NullMarked;
