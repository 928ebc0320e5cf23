@NullMarked
package io.berth.answers.live;

import org.jspecify.annotations.NullMarked;
