/// A cluster in virtual time for Java tests: API, controllers, kubelets, scheduler, and a clock to
/// move.
///
/// Start at [Berth], or at [BerthCluster] with JUnit. This package is what users of the library may
/// count on; all others may change.
@NullMarked
package io.berth.junit;

import org.jspecify.annotations.NullMarked;
