/// The kinds of `batch/v1`: jobs, once or by the clock.
///
/// Start at [JobStrategy]; [JobSpecs] has the rules that jobs and templates of jobs share.
@NullMarked
package io.berth.kinds.batch;

import org.jspecify.annotations.NullMarked;
