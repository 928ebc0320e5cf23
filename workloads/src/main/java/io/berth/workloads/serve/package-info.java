/// The operations on workloads: submitting, reading, suspending, deleting, and their pods.
///
/// Start at [SubmitRoutes] for what changes something and [WorkloadRoutes] for what reads.
@NullMarked
package io.berth.workloads.serve;

import org.jspecify.annotations.NullMarked;
