/// Kubernetes clients for Java as their users have them, against the embedded API over HTTPS.
///
/// Start at [Fabric8InformersTest]: informers follow random writes through cut connections and
/// expired revisions, and [EventLog] knows what they may and may not see.
@NullMarked
package io.berth.clients;

import org.jspecify.annotations.NullMarked;
