/// What is asked for: a path, a query and headers become verbs, resources, options and selectors.
///
/// Start at [RequestInfo]. Everything here is a value parsed from text; refusals are worded as
/// Kubernetes words them.
@NullMarked
package io.berth.server.request;

import org.jspecify.annotations.NullMarked;
