/// Claims on devices: [DynamicResources].
@NullMarked
package io.berth.engine.rule.device;

import org.jspecify.annotations.NullMarked;
