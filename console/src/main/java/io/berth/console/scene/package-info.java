/// What there is: nodes and pods as the console shows them, kept up to date by watches.
///
/// Start at [Scene]. It knows everything and shows it to nobody; views ask it with a sight in hand.
@NullMarked
package io.berth.console.scene;

import org.jspecify.annotations.NullMarked;
