/// Even distribution over zones, hosts or any other node label: start at [PodTopologySpread].
@NullMarked
package io.berth.engine.rule.spread;

import org.jspecify.annotations.NullMarked;
