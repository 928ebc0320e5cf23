/// The kinds of `coordination.k8s.io`: leases, for heartbeats and leader election.
@NullMarked
package io.berth.kinds.coordination;

import org.jspecify.annotations.NullMarked;
