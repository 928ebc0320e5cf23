/// Why a pod waits, or is where it is, and what would help.
///
/// Start at [PodExplanation], the answer.
@NullMarked
package io.berth.answers.explain;

import org.jspecify.annotations.NullMarked;
