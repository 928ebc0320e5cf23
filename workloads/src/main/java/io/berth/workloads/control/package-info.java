/// Keeps workloads and what they are made of in step: pods, phases, namespaces, deletion.
///
/// Start at [WorkloadController], one thread that looks at whatever changed; [WorkloadStep] is one
/// look at one workload, [Admission] decides which waiting workload may start, and in which pool.
@NullMarked
package io.berth.workloads.control;

import org.jspecify.annotations.NullMarked;
