/// The rule about spreading in a table.
@NullMarked
package io.berth.engine.rule.spread;

import org.jspecify.annotations.NullMarked;
