/// Container images that nodes already hold: [ImageLocality].
@NullMarked
package io.berth.engine.rule.image;

import org.jspecify.annotations.NullMarked;
