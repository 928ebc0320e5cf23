@NullMarked
package io.berth.schema.cel;

import org.jspecify.annotations.NullMarked;
