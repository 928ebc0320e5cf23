@NullMarked
package io.berth.answers.source;

import org.jspecify.annotations.NullMarked;
