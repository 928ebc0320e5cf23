/// Other API servers, which answer for groups and versions of their own behind this one's door.
///
/// Start at [Aggregator]. An APIService names the server; [Checks] finds out whether it answers and
/// what it serves, and [Forward] passes on a request that was authorized here.
@NullMarked
package io.berth.server.aggregation;

import org.jspecify.annotations.NullMarked;
