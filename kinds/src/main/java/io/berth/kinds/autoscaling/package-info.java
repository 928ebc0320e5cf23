/// The kinds of `autoscaling`: targets for the number of replicas.
@NullMarked
package io.berth.kinds.autoscaling;

import org.jspecify.annotations.NullMarked;
