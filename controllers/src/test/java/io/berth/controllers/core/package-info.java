/// Tests of cluster housekeeping against a Kubernetes API in memory and a clock that is moved.
@NullMarked
package io.berth.controllers.core;

import org.jspecify.annotations.NullMarked;
