/// What a node says of itself: its name, that it is cordoned, its features.
@NullMarked
package io.berth.engine.rule.node;

import org.jspecify.annotations.NullMarked;
