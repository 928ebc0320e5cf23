/// Objects and what may be done to them: the same for HTTP and for callers in this process.
///
/// Start at [Registry]. A write passes mutating admission, the kind's own rules, and, inside the
/// store's transaction, validating admission; so nothing that was checked can change before it is
/// stored.
@NullMarked
package io.berth.server.registry;

import org.jspecify.annotations.NullMarked;
