/// The operations on tokens, accounts, roles and access rules.
///
/// Start at [TokenRoutes]; who may do what is decided in `access`.
@NullMarked
package io.berth.workloads.iam;

import org.jspecify.annotations.NullMarked;
