@NullMarked
package io.berth.answers.explain;

import org.jspecify.annotations.NullMarked;
