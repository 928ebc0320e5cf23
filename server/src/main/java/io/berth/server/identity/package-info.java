/// Who is asking: certificates, tokens, impersonation.
///
/// Start at [Authenticator]. [Authority] makes the cluster's certificates on first start.
@NullMarked
package io.berth.server.identity;

import org.jspecify.annotations.NullMarked;
