/// Rules that hold for the whole tree: who may know whom, format, documents.
@NullMarked
package io.berth.architecture;

import org.jspecify.annotations.NullMarked;
