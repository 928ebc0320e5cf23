/// Questions about placement, answered by the engine that schedules: why here, why not, what helps,
/// what if.
///
/// `source` makes a [io.berth.answers.source.Survey] of files or of what a cluster told; an answer
/// is worked out on a fresh engine fed with it, so that a question never disturbs a decision.
/// `explain` says why a pod waits or is where it is, `plan` what would become of pods, `lint` which
/// rules cannot work. No I/O but reading files a user names.
@NullMarked
package io.berth.answers;

import org.jspecify.annotations.NullMarked;
