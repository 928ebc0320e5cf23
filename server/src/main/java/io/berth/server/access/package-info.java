/// Who may do what: RBAC over the stored roles, and the rules for kubelets.
///
/// Start at [Authorizer].
@NullMarked
package io.berth.server.access;

import org.jspecify.annotations.NullMarked;
