/// Tests of autoscalers.
@NullMarked
package io.berth.kinds.autoscaling;

import org.jspecify.annotations.NullMarked;
