/// Builders and fakes that behave. Test scope only.
///
/// Start at [FakeCluster], a Kubernetes API in memory, [FakeClock], a clock that is moved, and
/// [Samples], which builds pods, nodes and workloads that are valid and boring until told
/// otherwise.
@NullMarked
package io.berth.testing;

import org.jspecify.annotations.NullMarked;
