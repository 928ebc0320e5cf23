/// The kinds of `storage.k8s.io`: classes, drivers and what nodes know of them.
@NullMarked
package io.berth.kinds.storage;

import org.jspecify.annotations.NullMarked;
