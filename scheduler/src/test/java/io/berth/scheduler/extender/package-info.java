/// What is said to extenders and what is made of their answers.
@NullMarked
package io.berth.scheduler.extender;

import org.jspecify.annotations.NullMarked;
