/// Tests of what every controller stands on.
@NullMarked
package io.berth.controllers.runtime;

import org.jspecify.annotations.NullMarked;
