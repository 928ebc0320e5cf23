/// What is shown of a scene, and sent: columns of a map, changes of it, pods by cause.
///
/// Everything here takes a visibility, and shows nothing beyond it.
@NullMarked
package io.berth.console.view;

import org.jspecify.annotations.NullMarked;
