/// Why a pod waits, or is where it is, and what would help.
///
/// Start at [Explanations], which asks, and [PodExplanation], the answer. [Prospects] tells never
/// from not now.
@NullMarked
package io.berth.answers.explain;

import org.jspecify.annotations.NullMarked;
