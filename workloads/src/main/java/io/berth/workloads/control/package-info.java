/// Keeps workloads and what they are made of in step: pods, phases, namespaces, deletion.
///
/// Start at [WorkloadController], one thread that looks at whatever changed; [WorkloadStep] is one
/// look at one workload. Which of those that wait may start, and in which pool, is decided in
/// package `sharing`.
@NullMarked
package io.berth.workloads.control;

import org.jspecify.annotations.NullMarked;
