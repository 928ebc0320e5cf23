/// Rules about what a node says of itself, each in a table.
@NullMarked
package io.berth.engine.rule.node;

import org.jspecify.annotations.NullMarked;
