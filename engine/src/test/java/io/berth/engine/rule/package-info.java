/// Each rule by itself, in a folder like its own, and how profiles put rules together.
@NullMarked
package io.berth.engine.rule;

import org.jspecify.annotations.NullMarked;
