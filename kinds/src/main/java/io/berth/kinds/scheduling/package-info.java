/// The kinds of `scheduling.k8s.io`: priority classes, and groups of pods placed together.
@NullMarked
package io.berth.kinds.scheduling;

import org.jspecify.annotations.NullMarked;
