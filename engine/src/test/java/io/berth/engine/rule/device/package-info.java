/// The rule about devices in a table.
@NullMarked
package io.berth.engine.rule.device;

import org.jspecify.annotations.NullMarked;
