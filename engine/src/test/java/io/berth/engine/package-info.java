/// The engine seen from outside: histories, plans, bad input, and Kubernetes' golden vectors.
@NullMarked
package io.berth.engine;

import org.jspecify.annotations.NullMarked;
