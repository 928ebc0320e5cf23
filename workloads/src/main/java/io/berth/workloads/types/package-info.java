/// The shapes of request bodies as a table, and the checks that follow from it.
///
/// Start at [Types]; the table is `requests.types` beside it.
@NullMarked
package io.berth.workloads.types;

import org.jspecify.annotations.NullMarked;
