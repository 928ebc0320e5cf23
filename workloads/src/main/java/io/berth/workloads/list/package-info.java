/// Paging, sorting, filtering and search: the same for every list of the API.
///
/// Start at [Columns], which a list declares, and [ListRequest], which a caller sends.
@NullMarked
package io.berth.workloads.list;

import org.jspecify.annotations.NullMarked;
