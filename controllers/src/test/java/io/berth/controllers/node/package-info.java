/// Tests of node health and eviction against a Kubernetes API in memory and a clock that is moved.
@NullMarked
package io.berth.controllers.node;

import org.jspecify.annotations.NullMarked;
