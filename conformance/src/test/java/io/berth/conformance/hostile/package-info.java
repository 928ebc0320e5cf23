/// Input nobody should send: [IntakeFuzzTest] lets Jazzer make it, [HostileEventsTest] makes the
/// same kind from seeds in every build.
@NullMarked
package io.berth.conformance.hostile;

import org.jspecify.annotations.NullMarked;
