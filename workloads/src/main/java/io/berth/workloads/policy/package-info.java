/// Policies: what administrators preset and restrict, at every level of the organization.
///
/// Start at [Policies], which finds what holds for a project; [Compliance] applies it to a
/// submission. Rules and defaults follow the table of types, so a field needs no code of its own.
@NullMarked
package io.berth.workloads.policy;

import org.jspecify.annotations.NullMarked;
