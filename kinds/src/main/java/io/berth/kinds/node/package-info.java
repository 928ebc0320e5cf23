/// The kinds of `node.k8s.io`: runtime classes.
@NullMarked
package io.berth.kinds.node;

import org.jspecify.annotations.NullMarked;
