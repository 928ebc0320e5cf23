/// What whoever sells clusters adds to one: disks, addresses, and classes that name them. All of it
/// is simulated.
///
/// Start at [Cloud], which lists it.
@NullMarked
package io.berth.controllers.cloud;

import org.jspecify.annotations.NullMarked;
