/// Rules about volumes, each in a table.
@NullMarked
package io.berth.engine.rule.volume;

import org.jspecify.annotations.NullMarked;
