/// The rule about images in a table.
@NullMarked
package io.berth.engine.rule.image;

import org.jspecify.annotations.NullMarked;
