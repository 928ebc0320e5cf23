/// Requests to resources: options and bodies in, calls on the registry, views out.
///
/// Start at [ResourceEndpoint].
@NullMarked
package io.berth.server.rest;

import org.jspecify.annotations.NullMarked;
