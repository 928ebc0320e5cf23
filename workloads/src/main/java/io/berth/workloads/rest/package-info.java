/// From a request to a handler: the table of routes, bodies, and errors as answers.
///
/// Start at [Router]; a [Route] says everything about one operation, and documents are made of it.
@NullMarked
package io.berth.workloads.rest;

import org.jspecify.annotations.NullMarked;
