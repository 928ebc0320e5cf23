/// The rule about host ports in a table.
@NullMarked
package io.berth.engine.rule.port;

import org.jspecify.annotations.NullMarked;
