/// Persistent volumes: where claims can be served ([VolumeBinding]), and what else limits them.
@NullMarked
package io.berth.engine.rule.volume;

import org.jspecify.annotations.NullMarked;
