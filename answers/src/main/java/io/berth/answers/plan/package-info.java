/// What if: steps that happen to a cluster, and what becomes of its pods.
///
/// Start at [WhatIf], which takes one [PlanStep] after the other to a [World] and answers with a
/// [Forecast]. Everything is decided by the engine that schedules; what controllers would do (make
/// pods anew, evict, update) is done here as far as placement follows from it.
@NullMarked
package io.berth.answers.plan;

import org.jspecify.annotations.NullMarked;
